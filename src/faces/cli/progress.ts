import { isObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { visibleLine } from '../../base/visible.ts';
import type { CompactionReport } from '../../contracts/entry.ts';
import type { AgentEvent } from '../../contracts/event.ts';
import type { ToolCall } from '../../contracts/message.ts';
import { visibleText } from '../../contracts/message.ts';
import type { Streams } from './one-shot.ts';

/** A line a step on stderr, when a person watches: what runs, what failed, what is being waited for. */
export function progress(streams: Streams): (event: AgentEvent) => void {
  const say = (line: string) => streams.err(`${printable(line)}\n`);
  return (event) => {
    switch (event.type) {
      case 'tool_started':
        return streams.watched ? say(`· ${visibleLine(describe(event.call))}`) : undefined;
      case 'tool_finished':
        return streams.watched && event.result.failed ? say(`  ✗ ${firstLine(visibleText(event.result))}`) : undefined;
      case 'recovering':
        return say(
          `${event.failure.type.replaceAll('_', ' ')}: ${event.failure.detail} — ${event.strategy.replaceAll('_', ' ')}${waiting(event.waitMs)}`,
        );
      case 'compacting':
        return say(`shortening the conversation: ${event.tokens} of ${event.window} tokens …`);
      case 'compacted':
        return say(compactedWords(event.report));
      case 'runtime_changed':
        return say(`now on ${event.to.provider} ${event.to.model}`);
      case 'notice':
        return say(event.text);
      default:
        return undefined;
    }
  };
}

/** What a compaction came to, in one line. */
export const compactedWords = ({ outcome, tokensBefore, tokensAfter, messagesBefore, messagesAfter, why }: CompactionReport): string =>
  outcome === 'refused'
    ? `the conversation stays as it is: ${why ?? 'no reason was given'}`
    : `${tokensBefore} tokens in ${messagesBefore} messages became ${tokensAfter} in ${messagesAfter}${outcome === 'digest' ? ', without a model' : ''}; the log keeps all of them`;

const waiting = (ms: number | undefined): string => (ms === undefined || ms === 0 ? '' : ` (${(ms / 1000).toFixed(1)} s)`);
const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 160);

/** Arguments that say most about a call, best first. */
const TELLING = ['command', 'path', 'pattern', 'question', 'session_id', 'query', 'url'];

/** A call in one line: its name and the argument that says most. */
export function describe(call: ToolCall): string {
  const input = isObject(call.input) ? call.input : {};
  const words = [...TELLING.map((key) => input[key]), ...Object.values(input)].find((value) => typeof value === 'string' && value !== '');
  return typeof words === 'string' ? `${call.name} ${firstLine(words)}` : call.name;
}
