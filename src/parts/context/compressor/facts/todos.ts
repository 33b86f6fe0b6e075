import { isObject, parseJson } from '../../../../base/json.ts';
import { clip } from '../../../../base/text.ts';
import { isMessageEntry, type Entry } from '../../../../contracts/entry.ts';
import { joinTextBlocks, type Json } from '../../../../contracts/message.ts';
import { estimateTextTokens } from '../../view/tokens.ts';
import { collapseWhitespace } from '../rows/outcome.ts';

interface TodoTask {
  readonly id: string;
  readonly content: string;
  readonly status: string;
}
const OPEN = ['in_progress', 'pending'];
/** Lengths a task may have, tried in turn until all open ones fit: a short name of each is better than half of them. */
const LENGTHS = [400, 160, 60, 30, 0];

/** The tasks still open by the newest list in the log, one line each, what is being done first. */
export function listOpenTasks(entries: readonly Entry[], budget: number): readonly string[] {
  const open = newestList(entries)
    .filter(({ status }) => OPEN.includes(status))
    .toSorted((a, b) => OPEN.indexOf(a.status) - OPEN.indexOf(b.status));
  const drawn = LENGTHS.map((length) => open.map((task) => lineOf(task, length)));
  return drawn.find((lines) => estimateTextTokens(lines.join('\n')) <= budget) ?? drawn.at(-1) ?? [];
}

const lineOf = ({ id, content, status }: TodoTask, length: number): string =>
  `- [${status}] ${id}${length === 0 ? '' : `: ${clip(collapseWhitespace(content), length, () => ' […] ')}`}`;

function newestList(entries: readonly Entry[]): readonly TodoTask[] {
  for (const entry of entries.toReversed()) {
    if (!isMessageEntry(entry) || entry.message.role !== 'tool' || entry.message.name !== 'todo' || entry.message.failed) continue;
    const list = parseJson(joinTextBlocks(entry.message));
    if (isObject(list) && Array.isArray(list['todos'])) return list['todos'].flatMap((item: Json) => taskOf(item));
  }
  return [];
}

function taskOf(item: Json): TodoTask[] {
  if (!isObject(item)) return [];
  const { id, content, status } = item;
  return typeof id === 'string' && typeof content === 'string' && typeof status === 'string' ? [{ id, content, status }] : [];
}
