import { isObject } from '../base/json.ts';
import { takeStart } from '../base/text.ts';
import { formatCount } from '../base/screen/figures.ts';
import type { CompactionReport } from '../contracts/entry.ts';
import type { AgentEvent } from '../contracts/event.ts';
import type { ToolCall } from '../contracts/message.ts';

/** A compaction that begins, and where the figure comes from that makes it due. */
export const describeCompacting = ({ tokens, window, reported }: Extract<AgentEvent, { readonly type: 'compacting' }>): string =>
  `shortening the conversation: ${tokens} of ${window} tokens${reported === true ? ' (the window this server has named)' : ''} …`;

/** What a compaction came to, in one line. */
export function describeCompaction(report: CompactionReport): string {
  const { outcome, tokensBefore, tokensAfter, messagesBefore, messagesAfter, requestShortened, why } = report;
  if (outcome === 'refused') return `the conversation stays as it is: ${why ?? 'no reason was given'}`;
  const size = `${tokensBefore} tokens in ${formatCount(messagesBefore, 'message')} became ${tokensAfter} in ${messagesAfter}`;
  const cut = requestShortened ? '; the latest request does not fit the window, so the model sees its beginning and its end' : '';
  return `${size}${outcome === 'digest' ? ', without a model' : ''}${cut}; the log keeps all of ${messagesBefore === 1 ? 'it' : 'them'}`;
}

/** Arguments that say most about a call, best first. */
const TELLING = ['command', 'path', 'pattern', 'question', 'session_id', 'query', 'url'];

/** A call in one line: its name and the argument that says most. */
export function describeCall(call: ToolCall): string {
  const input = isObject(call.input) ? call.input : {};
  const words = [...TELLING.map((key) => input[key]), ...Object.values(input)].find((value) => typeof value === 'string' && value !== '');
  return typeof words === 'string' ? `${call.name} ${takeFirstLine(words)}` : call.name;
}

const MAX_LINE = 160;
/** The beginning of a text, as much as a line takes. */
export function takeFirstLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length <= MAX_LINE ? line : `${takeStart(line, MAX_LINE - 1)}…`;
}
/** The first sentence of a text, or its first line where that is none. */
export const takeFirstSentence = (text: string): string => /^[^\n]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.split('\n')[0] ?? '';
