import { isObject } from '../../../base/json.ts';
import { isMessageEntry, type Entry } from '../../../contracts/entry.ts';
import type { ToolCall } from '../../../contracts/message.ts';
import type { RecallLog } from './log.ts';
import { isOurEcho } from './passage-index.ts';
import { listToolCalls, type RecallRow } from './rows.ts';

/** A row that has to do with a file. */
export interface FileRow {
  readonly row: RecallRow;
  /** What it did with the file: read, wrote, patched, searched, ran, mentioned. */
  readonly did: string;
  /** Where the path stands in it; the beginning for a result that is the file's content. */
  readonly at: number;
}

/** What a tool does with the file it is called on, by how its name begins. */
const DEEDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:read|view|cat|open)/, 'read'],
  [/^(?:write|create|save)/, 'wrote'],
  [/^(?:patch|edit|replace|str_replace|apply)/, 'patched'],
  [/^(?:search|grep|find|glob|list)/, 'searched'],
  [/^(?:terminal|shell|bash|run|exec|process)/, 'ran'],
];
const deedOf = (tool: string): string => DEEDS.find(([begins]) => begins.test(tool))?.[1] ?? `called ${tool} on`;

/** Rows of the log that touch a file or name it, newest first. A path nobody wrote so is tried by its last members. */
export function listFileRows(path: string, log: RecallLog): { readonly as: string; readonly rows: readonly FileRow[] } {
  for (const name of spellings(path)) {
    const rows = log.entries.flatMap((entry) => fileRow(entry, name, log)).toReversed();
    if (rows.length > 0) return { as: name, rows };
  }
  return { as: path, rows: [] };
}

/** `/work/app/src/a.ts` → itself, `src/a.ts`, `a.ts`. */
function spellings(path: string): string[] {
  const plain = path.trim().replaceAll('\\', '/').replace(/^\.\//, '');
  const members = plain.split('/').filter((member) => member !== '' && member !== '.' && member !== '..' && member !== '~');
  const all = [plain, members.slice(-3).join('/'), members.slice(-2).join('/'), members.slice(-1).join('/')];
  return [...new Set(all)].filter((name) => name.length > 1);
}

function fileRow(entry: Entry, name: string, log: RecallLog): FileRow[] {
  if (!isMessageEntry(entry) || isOurEcho(entry)) return [];
  const row = log.row(entry.seq);
  if (row === undefined) return [];
  const at = findNameIndex(row.text, name);
  const call = entry.message.role === 'tool' ? log.calls.get(entry.message.callId) : listToolCalls(entry).find((each) => isOn(each, name));
  if (call !== undefined && isOn(call, name))
    return [{ row, did: deedOf(call.name), at: entry.message.role === 'tool' ? Math.max(0, at) : at }];
  return at < 0 ? [] : [{ row, did: 'mentioned', at }];
}

const isOn = ({ input, malformed }: ToolCall, name: string): boolean =>
  (isObject(input) ? Object.values(input) : [malformed ?? '']).some(
    (value) => typeof value === 'string' && findNameIndex(value, name) >= 0,
  );

const PART_OF_NAME = /[\w-]/;

/** Where a text names the file: as a whole name, not as a piece of a longer one. */
export function findNameIndex(text: string, name: string): number {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + name.length] ?? ' '];
    const goesOn = after === '.' && PART_OF_NAME.test(text[at + name.length + 1] ?? ' ');
    if (!PART_OF_NAME.test(before) && !PART_OF_NAME.test(after) && !goesOn) return at;
  }
  return -1;
}
