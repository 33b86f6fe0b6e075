import type { LogMessage } from '../../../../contracts/entry.ts';
import { toOneLine, toPrintable } from '../../../../base/printable.ts';
import { clip, takeStart } from '../../../../base/text.ts';
import { joinTextBlocks, type AssistantMessage, type ToolMessage, type UserMessage } from '../../../../contracts/message.ts';
import type { Session } from '../../../../contracts/session-store.ts';
import { cut } from './fit.ts';
import { listForeignSources } from './transcript.ts';

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
  const outside = listForeignSources([said]).map((source) => ` (from outside: ${shortenName(source)})`);
  return `#${seq} ${who}${by}${outside.slice(0, 1).join('')}: ${indented(body)}`;
}

export const shortenName = (text: string): string => cut(toOneLine(takeStart(text, LONGEST)), NAME);

const bodyOf = (message: UserMessage | AssistantMessage | ToolMessage): string => {
  const words = clip(joinTextBlocks(message), LONGEST, (omitted) => ` […${omitted} characters…] `);
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
      return [`[called ${shortenName(block.name)} ${cut(toOneLine(takeStart(JSON.stringify(block.input), LONGEST)), ARGUMENTS)}]`];
    case 'text':
    case 'thinking':
      return [];
  }
}

function resultLine(message: ToolMessage): string {
  const text = joinTextBlocks(message);
  const images = message.content.flatMap(extraOf);
  return cut([toOneLine(takeStart(text, LONGEST)), ...images].filter((part) => part !== '').join(' ') || '(nothing)', RESULT);
}

const indented = (text: string): string => text.replaceAll(/[\n\u2028\u2029]/g, '\n  ');

/** Which session it is, in two lines. */
export const drawSession = (session: Session, messages: number): string =>
  `${formatSessionTitle(session)}\nsession_id ${session.id} · ${formatSessionFacts(session, messages)}`;

export const formatSessionTitle = ({ title }: Session): string => (title === undefined ? '(without a title)' : shortenName(title));

export function formatSessionFacts({ source, startedAt, updatedAt }: Session, messages: number): string {
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
