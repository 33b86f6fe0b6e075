import type { Entry, EntryBody, EntryOrigin } from '../../../../src/contracts/entry.ts';
import type { AgentEvent } from '../../../../src/contracts/event.ts';
import { createTextBlock, NO_USAGE, type AssistantMessage, type ToolCall } from '../../../../src/contracts/message.ts';
import type { SeededRandom } from '../../../../src/testing/seeded-random.ts';
import { randomDetails, randomMarkdown } from '../sample-text.ts';

/** What happens besides: a question is shown for the time of a call. */
export type SessionEvent = AgentEvent | { readonly type: 'question'; readonly act: string } | { readonly type: 'answered' };

const WORDS = [
  '画面は二行',
  '终端里的文字',
  '한국어 문장',
  '🚀',
  '👩‍💻👨‍👩‍👧',
  '✅ done',
  'naïve',
  'ﾊﾝｶｸ',
  '❤️ 🇩🇪',
  'plain words of an answer',
] as const;
const wideRow = (chance: SeededRandom): string =>
  `| ${chance.pick(WORDS)} | ${chance.list(1, 9, () => chance.pick(WORDS)).join(' ')} | src/a/b/${chance.int(0, 99)}.ts |`;
const randomTable = (chance: SeededRandom): string =>
  `\n\n| Name | What | Where |\n|---|---|---|\n${chance.list(1, 25, () => wideRow(chance)).join('\n')}\n\n`;
const randomAnswer = (chance: SeededRandom): string =>
  chance.list(1, 5, () => (chance.hits(0.3) ? randomTable(chance) : `${chance.pick(WORDS)} ${randomMarkdown(chance, 12)}`)).join(' ');

/** A session with every kind of thing in it, as its agent tells it. */
export function* tellEvents(chance: SeededRandom): Generator<SessionEvent> {
  let seq = 0;
  const entry = (turnId: string, origin: EntryOrigin, body: EntryBody): AgentEvent => {
    seq += 1;
    const stored: Entry = { id: `e${seq}`, sessionId: 's', seq, turnId, at: seq, origin, ...body };
    return { type: 'entry', entry: stored };
  };
  function* stream(type: 'text_delta' | 'thinking_delta', text: string): Generator<SessionEvent> {
    for (let at = 0; at < text.length;) {
      const size = chance.int(1, 60);
      yield { type, delta: text.slice(at, at + size) };
      at += size;
    }
  }
  function* call(turnId: string, { id, name, input }: ToolCall): Generator<SessionEvent> {
    yield { type: 'tool_started', call: { type: 'tool_call', id, name, input, trust: 'model' } };
    if (chance.hits(0.3)) yield* [{ type: 'question', act: randomMarkdown(chance, chance.int(1, 40)) }, { type: 'answered' }];
    for (let notes = chance.int(0, 12); notes > 0; notes -= 1)
      yield { type: 'tool_progress', callId: id, note: `${randomMarkdown(chance, 4)}${chance.pick(['\n', '\r', ''])}` };
    const content = [createTextBlock(randomMarkdown(chance), 'tool')];
    const message = { role: 'tool', callId: id, name, content, failed: chance.hits(0.2) } as const;
    const details = randomDetails(chance);
    yield { type: 'tool_finished', callId: id, result: message, ms: chance.int(0, 90_000), ...(details && { details }) };
    yield entry(turnId, 'tool', { type: 'message', message, ...(details && { details }) });
  }
  for (let turn = chance.int(1, 3); turn > 0; turn -= 1) {
    const turnId = `t${turn}`;
    const asked = { role: 'user', content: [createTextBlock(randomMarkdown(chance, 6), 'owner')] } as const;
    yield entry(turnId, 'user', { type: 'message', message: asked });
    for (let step = chance.int(1, 3); step > 0; step -= 1) {
      const thinking = chance.hits(0.4) ? randomMarkdown(chance, 8) : '';
      const text = randomAnswer(chance);
      yield* stream('thinking_delta', thinking);
      yield* stream('text_delta', text);
      const calls = step === 1 ? [] : chance.list(1, 3, (index) => toolCall(`${turnId}.${step}.${index}`, chance));
      const message: AssistantMessage = {
        role: 'assistant',
        content: [
          ...(thinking === '' ? [] : [{ type: 'thinking', text: thinking, trust: 'model' } as const]),
          createTextBlock(text, 'model'),
          ...calls,
        ],
      };
      yield { type: 'sampled', message, usage: NO_USAGE, callId: `${turnId}.${step}` };
      yield entry(turnId, 'model', { type: 'message', message });
      for (const made of calls) yield* call(turnId, made);
      if (chance.hits(0.2)) yield { type: 'notice', text: randomMarkdown(chance, 3) };
    }
    yield { type: 'settled', outcome: { type: 'answered', exitReason: 'answered', text: '' } };
  }
}

const toolCall = (id: string, chance: SeededRandom): ToolCall => ({
  type: 'tool_call',
  id,
  name: chance.pick(['terminal', 'read_file', 'patch', 'web_search']),
  input: { command: randomMarkdown(chance, 5), path: 'src/main.ts' },
  trust: 'model',
});
