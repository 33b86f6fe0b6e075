import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '../../../src/agent/agent.ts';
import { createSseReader } from '../../../src/base/sse.ts';
import { isMessageEntry } from '../../../src/contracts/entry.ts';
import { joinTextBlocks } from '../../../src/contracts/message.ts';
import type { ModelEvent, ModelRequest, Provider } from '../../../src/contracts/provider.ts';
import { DEFAULT_ADJUSTMENTS, type ProtocolId } from '../../../src/contracts/runtime.ts';
import { createWireFormats, type WireFormat } from '../../../src/parts/providers/wire-format.ts';
import { forAll, type SeededRandom } from '../../../src/testing/seeded-random.ts';
import type { Reply } from '../../../src/testing/wire-server/index.ts';
import { planReply } from '../../../src/testing/wire-server/plan.ts';
import { collect, RUNTIME, says, setup, testTool } from '../setup.ts';
import { REASONING } from './lines.ts';
import { PROTOCOLS } from './story.ts';

const TAG = /<\/?(think|thinking|reasoning|thought|reasoning_scratchpad)\s*>/i;
const NAMES = ['think', 'thinking', 'reasoning', 'thought', 'THINK', 'Reasoning_Scratchpad'] as const;

test('reasoning, in its own field or between tags, never becomes text and never goes back as content, on any wire', async () => {
  await forAll(1_000, async (chance) => {
    const format = createWireFormats(() => undefined);
    const protocol = chance.pick(PROTOCOLS);
    const request = requestOn(protocol, chance.hits(0.8));
    const events = [...answer(format(request.runtime), request, randomReply(chance))];
    const shown = events.flatMap((event) => (event.type === 'text_delta' ? [event.delta] : [])).join('');
    const done = events.at(-1);
    assert.ok(done?.type === 'done');
    // A closing tag nobody opened makes thoughts of what was streamed before it: then only the rest is kept.
    assert.ok(shown.endsWith(joinTextBlocks(done.message)), 'what is kept is the end of what is streamed');
    assertNoReasoning(shown);
    for (const other of PROTOCOLS) {
      const back = requestOn(other, true, [...request.messages, { message: done.message }, { message: says('and?') }]);
      assertNoReasoning(withoutOwnFields(format(back.runtime).encode(back).body));
    }
  });
});

test('through a whole turn no reasoning reaches deltas, stored text, the outcome or the content of a later request', async () => {
  await forAll(40, async (chance) => {
    const bodies: string[] = [];
    const provider = wireProvider(() => randomReply(chance, true), bodies);
    const scene = await setup(provider, { tools: [testTool('look', async () => ({ content: [] }))], settings: { 'agent.max_turns': 4 } });
    const agent = createAgent(scene.store, scene.deps, { ...RUNTIME, protocol: chance.pick(PROTOCOLS) });
    for (const words of ['one', 'two']) {
      const { events, outcome } = await collect(agent.send(scene.session, says(words), new AbortController().signal));
      assertNoReasoning(outcome?.text ?? '');
      assertNoReasoning(events.flatMap((event) => (event.type === 'text_delta' ? [event.delta] : [])).join(''));
    }
    for (const entry of (await scene.store.entries(scene.session.id)).filter(isMessageEntry))
      assertNoReasoning(joinTextBlocks(entry.message));
    for (const body of bodies) assertNoReasoning(withoutOwnFields(body));
  });
});

function assertNoReasoning(words: string): void {
  assert.ok(!words.includes(REASONING), `reasoning in ${words}`);
  assert.doesNotMatch(words, TAG);
}

/** A body without the fields wires have for reasoning: what is left is content. */
const withoutOwnFields = (body: string): string =>
  JSON.stringify(JSON.parse(body), (key, value: unknown) => {
    if (key === 'reasoning_content' || key === 'reasoning_details') return undefined;
    return typeof value === 'object' && value !== null && 'type' in value && (value.type === 'thinking' || value.type === 'reasoning')
      ? undefined
      : value;
  });

function randomReply(chance: SeededRandom, mayCall = false): Reply {
  const thinking = chance.hits(0.4) ? { thinking: `${REASONING} deep`, ...(chance.hits(0.6) && { signature: 'sig' }) } : {};
  const calls = mayCall && chance.hits(0.4) ? { calls: [{ name: 'look', arguments: { at: chance.int(0, 9) } }] } : {};
  const finish = mayCall && chance.hits(0.15) ? ({ finish: 'length' } as const) : {};
  return { ...thinking, ...calls, ...finish, text: chance.list(0, 5, () => randomPiece(chance)).join(''), chunk: chance.int(1, 12) };
}

const randomPiece = (chance: SeededRandom): string => {
  const name = chance.pick(NAMES);
  const space = chance.pick(['', ' ', '  ']);
  return chance.pick([
    'plain words ',
    'a < b ',
    '<b>bold</b> ',
    '\n\n',
    'x <thin',
    '漢字 ',
    'half <',
    `</${name}>`,
    `<${name}${space}>${REASONING} ${chance.pick(['', '`code` ', '```\n', '< ', '</other>'])}</${name}${space}>`,
    `<${name}>${REASONING}\n\n</${name}> `,
  ]);
};

const requestOn = (
  protocol: ProtocolId,
  stream: boolean,
  messages: ModelRequest['messages'] = [{ message: says('hi') }],
): ModelRequest => ({
  runtime: { ...RUNTIME, protocol },
  adjust: { ...DEFAULT_ADJUSTMENTS, stream },
  system: 'You help.',
  tools: [],
  toolUse: 'auto',
  messages,
  cacheTtl: '5m',
});

/** A provider that renders and reads every reply as its real wire would, without a network. */
function wireProvider(reply: () => Reply, bodies: string[]): Provider {
  const formatOf = createWireFormats(() => undefined);
  return {
    encode: (request) => formatOf(request.runtime).encode(request),
    async *stream({ request, body }) {
      bodies.push(body);
      yield* answer(formatOf(request.runtime), request, reply());
    },
  };
}

function* answer(format: WireFormat, request: ModelRequest, reply: Reply): Generator<ModelEvent> {
  const body = { stream: request.adjust.stream };
  const { protocol } = request.runtime;
  const { chunks } = planReply(reply, { index: 0, protocol, method: 'POST', path: '/', headers: {}, text: '', body, at: 0 });
  if (request.adjust.stream) yield* streamed(format, request, chunks);
  else yield* format.whole(request, chunks.join(''), 1);
}

function* streamed(format: WireFormat, request: ModelRequest, chunks: readonly string[]): Generator<ModelEvent> {
  const [fold, reader] = [format.fold(request, 1), createSseReader()];
  for (const chunk of chunks) for (const { event, data } of reader.feed(chunk)) yield* fold.take(event, data);
  yield* fold.end();
}
