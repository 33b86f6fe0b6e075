import { clip, takeStart } from '../../../base/text.ts';
import type { Message, TextBlock } from '../../../contracts/message.ts';
import type { ViewRow } from './rows/rows.ts';
import { FOREIGN_CLOSE, FOREIGN_OPEN } from './words.ts';

/** Characters of one text or one call a summariser reads; the middle of a longer one is left out. */
const READ_LENGTH = 6_000;

/** A span as a summariser reads it: one piece a message, named by its place in the log. Reasoning is not part of it. */
export const renderTranscriptPieces = (rows: readonly ViewRow[]): readonly string[] =>
  rows.flatMap((row) => {
    const body = row.summary === undefined ? bodyOf(row.message) : '';
    return body === '' ? [] : [`[${row.fromSeq}] ${speaker(row)}: ${body}`];
  });

/** Characters of what others want kept; what goes beyond is left out. */
const INSIGHTS_LENGTH = 4_000;

/** What others want kept, as more material for the summariser: whose words they are stands on the fence around them. */
export function renderInsightPieces(insights: readonly TextBlock[]): readonly string[] {
  let room = INSIGHTS_LENGTH;
  return insights.flatMap((block) => {
    const text = takeStart(block.text.trim(), Math.max(0, room));
    room -= text.length;
    return text === '' ? [] : [`NOTE OF THE PROGRAM, worth keeping: ${words({ ...block, text })}`];
  });
}

/** The one who speaks, so that a request is never taken for something the assistant thought of. */
function speaker({ message, origin }: ViewRow): string {
  if (message.role === 'tool') return message.failed ? 'RESULT (failed)' : 'RESULT';
  if (message.role === 'assistant') return 'ASSISTANT';
  return SPEAKERS[origin] ?? 'NOTE OF THE PROGRAM';
}
const SPEAKERS: Readonly<Partial<Record<ViewRow['origin'], string>>> = {
  user: 'USER',
  steer: 'USER (meanwhile)',
  cron: 'USER (scheduled)',
};

function bodyOf(message: Message): string {
  const said = message.content.flatMap((block) => {
    if (block.type === 'text') return block.text === '' ? [] : [words(block)];
    if (block.type === 'tool_call') return [clipped(`CALL ${block.name} ${block.malformed ?? JSON.stringify(block.input)}`)];
    return [];
  });
  return said.join('\n');
}

function words({ text, trust, source }: TextBlock): string {
  const body = clipped(text);
  return trust === 'foreign' ? `${FOREIGN_OPEN}${source === undefined ? '' : ` ${escapeFences(source)}`}\n${body}\n${FOREIGN_CLOSE}` : body;
}

const clipped = (text: string): string => clip(escapeFences(text), READ_LENGTH, (omitted) => `\n[… ${omitted} characters …]\n`);

/** No text of a log can close a fence. */
export const escapeFences = (text: string): string => text.replaceAll('<<<', '‹‹‹').replaceAll('>>>', '›››');
