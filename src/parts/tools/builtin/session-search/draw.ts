import type { LogMessage } from '../../../../contracts/entry.ts';
import { oneLine, toPrintable } from '../../../../base/printable.ts';
import { clip, safeHead } from '../../../../base/text.ts';
import { visibleText, type AssistantMessage, type ToolMessage, type UserMessage } from '../../../../contracts/message.ts';
import type { Session } from '../../../../contracts/session-store.ts';
import { cut } from './fit.ts';
import { foreignSources } from './transcript.ts';

/** Characters of a tool's result, of a call's arguments and of a name from outside that are shown. */
const RESULT = 160;
const ARGUMENTS = 100;
const NAME = 100;
/** More of one message than this is never shown, so more need not be looked at. */
const LONGEST = 12_000;

/**
 * A message as a block of text that begins with its number. Further lines are indented, so that nothing a message says can pass
 * for the beginning of another. A tool's result takes one line, unless it is what was asked for.
 */
export function drawMessage(said: LogMessage, whole = false): string {
  const { seq, message, origin } = said;
  const body = message.role === 'tool' && !whole ? resultLine(message) : bodyOf(message);
  const who = message.role === 'tool' ? `tool ${shortenName(message.name)}${message.failed ? ' (failed)' : ''}` : message.role;
  const by = message.role === 'user' && origin !== 'user' ? ` (${origin})` : '';
  const outside = foreignSources([said]).map((source) => ` (from outside: ${shortenName(source)})`);
  return `#${seq} ${who}${by}${outside.slice(0, 1).join('')}: ${indented(body)}`;
}

export const shortenName = (text: string): string => cut(oneLine(safeHead(text, LONGEST)), NAME);

const bodyOf = (message: UserMessage | AssistantMessage | ToolMessage): string => {
  const words = clip(visibleText(message), LONGEST, (omitted) => ` […${omitted} characters…] `);
  return [toPrintable(words).trim(), ...message.content.flatMap(extraOf)].filter((part) => part !== '').join('\n');
};

/** What a message holds besides words; reasoning is not shown. */
function extraOf(block: LogMessage['message']['content'][number]): string[] {
  switch (block.type) {
    case 'image':
      return [`[image ${shortenName(block.mime)}]`];
    case 'file':
      return [`[file ${shortenName(block.name)}]`];
    case 'tool_call':
      return [`[called ${shortenName(block.name)} ${cut(oneLine(safeHead(JSON.stringify(block.input), LONGEST)), ARGUMENTS)}]`];
    case 'text':
    case 'thinking':
      return [];
  }
}

function resultLine(message: ToolMessage): string {
  const text = visibleText(message);
  const images = message.content.flatMap(extraOf);
  return cut([oneLine(safeHead(text, LONGEST)), ...images].filter((part) => part !== '').join(' ') || '(nothing)', RESULT);
}

const indented = (text: string): string => text.replaceAll(/[\n\u2028\u2029]/g, '\n  ');

/** Which session it is, in two lines. */
export const drawSession = (session: Session, messages: number): string =>
  `${titleOf(session)}\nsession_id ${session.id} · ${factsOf(session, messages)}`;

export const titleOf = ({ title }: Session): string => (title === undefined ? '(without a title)' : shortenName(title));

export function factsOf({ source, startedAt, updatedAt }: Session, messages: number): string {
  const [from, to] = [formatLocalTime(startedAt), formatLocalTime(updatedAt)];
  const [day = ''] = from.split(' ');
  const until = from === to ? '' : ` to ${to.startsWith(day) ? to.slice(day.length + 1) : to}`;
  return `${shortenName(source)} · ${from}${until} · ${messages} ${messages === 1 ? 'message' : 'messages'}`;
}

/** Local time as the ids of sessions have it. */
export function formatLocalTime(at: number): string {
  const time = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
