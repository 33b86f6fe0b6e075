import { fenceCode, quoteCode } from '../base/markdown/code.ts';
import { toOneLine, toPrintable } from '../base/printable.ts';
import { formatMoment } from '../base/screen/when.ts';
import { createRewoundCheck, isMessageEntry, type Entry, type LogMessage } from '../contracts/entry.ts';
import {
  collectToolCalls,
  joinShownResult,
  joinTextBlocks,
  listResultSources,
  type ToolMessage,
  type UserMessage,
} from '../contracts/message.ts';
import type { Session } from '../contracts/session-store.ts';
import { describeCall } from './describe.ts';

/** A session for somebody's notes: what was said, and the calls with their results. It may be printed on a terminal. */
export function exportMarkdown(session: Session, entries: readonly Entry[]): string {
  const isRewound = createRewoundCheck(entries);
  const { title, id, startedAt, provider, model, cwd } = session;
  const facts = [formatMoment(startedAt), `${provider} ${model}`, cwd].map(toOneLine).filter((fact) => fact.trim() !== '');
  const parts = entries.filter(isMessageEntry).flatMap((entry, index, all) => {
    const before = all[index - 1];
    return drawMessage(
      entry,
      isRewound(entry.seq),
      before !== undefined && isRewound(before.seq) === isRewound(entry.seq) ? before : undefined,
    );
  });
  return `${[`# ${toOneLine(title ?? id)}`, `*${facts.join(', ')}*`, ...parts].join('\n\n')}\n`;
}

/** The blocks of one message. Who speaks is said once for all steps of a turn. */
function drawMessage({ message }: LogMessage, rewound: boolean, before: LogMessage | undefined): readonly string[] {
  const mark = rewound ? ' (taken back)' : '';
  if (message.role === 'user') return [`## You${mark}`, ...drawUser(message)];
  if (message.role === 'tool') return [...(rewound ? ['*taken back:*'] : []), ...drawResult(message)];
  const words = toPrintable(joinTextBlocks(message)).trim();
  const calls = collectToolCalls(message).map((call) => `- ${quoteCode(toOneLine(describeCall(call)))}`);
  if (words === '' && calls.length === 0) return [];
  const isNew = before === undefined || before.message.role === 'user';
  return [...(isNew ? [`## Hermes${mark}`] : []), ...(words === '' ? [] : [words]), ...(calls.length === 0 ? [] : [calls.join('\n')])];
}

function drawResult(message: ToolMessage): readonly string[] {
  const words = toPrintable(joinShownResult(message));
  const sources = listResultSources(message);
  return [
    ...(message.failed ? ['*failed:*'] : []),
    ...(sources.length === 0 ? [] : [`*text from outside: ${toOneLine(sources.join(', '))}*`]),
    words.trim() === '' ? '*no output*' : fenceCode(words),
  ];
}

/** What others wrote is never passed off as the owner's words. */
const drawUser = ({ content }: UserMessage): readonly string[] =>
  content.flatMap((block): readonly string[] => {
    if (block.type === 'image') return [`*[image: ${toOneLine(block.mime)}]*`];
    if (block.type === 'file') return [`*[file: ${toOneLine(block.name)}, ${toOneLine(block.mime)}]*`];
    const words = toPrintable(block.text);
    if (words.trim() === '') return [];
    if (block.trust !== 'foreign') return [words.trim()];
    return [`*text from outside${block.source === undefined ? '' : `: ${toOneLine(block.source)}`}*`, fenceCode(words)];
  });
