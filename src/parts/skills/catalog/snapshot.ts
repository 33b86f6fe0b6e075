import { readPath, isObject, parseJson } from '../../../base/json.ts';
import type { Json } from '../../../base/json-types.ts';
import { replaceFile } from '../../../base/replace-file.ts';
import { readTextFile } from '../../../base/text-file.ts';
import type { FolderRecord } from './discover.ts';
import type { HeadResult, Head } from './head.ts';
import type { Root } from './roots.ts';
import type { FileRecord, SurveyRecord } from './survey.ts';

/** Grows with every change of what is kept or of how heads are read. */
export const SNAPSHOT_VERSION = 2;
/** A larger file is not ours. */
const MAX_BYTES = 32 * 1024 * 1024;

export interface SkillSnapshot {
  readonly text: string;
  readonly memory: SurveyRecord;
}

/** The kept memory, when it is whole, of this version and of these roots. Whether it still holds is for the survey to say. */
export function loadSnapshot(path: string, roots: readonly Root[]): SkillSnapshot | undefined {
  const file = readTextFile(path, MAX_BYTES);
  if (!file.ok) return undefined;
  const memory = memoryFrom(parseJson(file.text), roots);
  return memory && { text: file.text, memory };
}

/** A cache that cannot be written costs time at the next start and nothing else. */
export function saveSnapshot(path: string, text: string): void {
  try {
    replaceFile(path, text);
  } catch {
    // A full disk or a home without the right to write is told where something is lost by it.
  }
}

/** Rows of strings, not records: read in a fraction of the time, and this file is read at every start. */
export const snapshotText = (roots: readonly Root[], { folders, files }: SurveyRecord): string =>
  JSON.stringify({
    version: SNAPSHOT_VERSION,
    roots: roots.map(rootKey),
    manifest: Object.fromEntries([...files].map(([path, { stamp }]) => [path, stamp])),
    contents: [...files.values()].map(({ content }) => contentRow(content)),
    folders: [...folders].map(folderRow),
  });

const rootKey = ({ origin, path }: Root): string => `${origin}:${path}`;
/** No name of a folder holds a slash, and no item of a head a line break. */
const NAMES = '/';
const ITEMS = '\n';

const folderRow = ([path, { stamp, folders, links, skill, description }]: readonly [string, FolderRecord]): readonly string[] => [
  path,
  stamp,
  `${skill ? SKILL : ''}${description ? DESCRIPTION : ''}`,
  folders.join(NAMES),
  links.join(NAMES),
];
const SKILL = 's';
const DESCRIPTION = 'd';

/** The word for the owner first; how many cells there are tells what the file is. */
function contentRow({ head, description, problem = '' }: HeadResult): readonly string[] {
  if (head === undefined) return description === undefined ? [problem] : [problem, description];
  const { requiresTools, requiresToolsets, fallbackForTools, fallbackForToolsets } = head.conditions;
  const lists = [head.platforms, head.tags, head.related, requiresTools, requiresToolsets, fallbackForTools, fallbackForToolsets];
  return [problem, head.description, head.name, head.version ?? '', head.category ?? '', ...lists.map((list) => list.join(ITEMS))];
}
const HEAD_CELLS = 12;

function memoryFrom(json: Json | undefined, roots: readonly Root[]): SurveyRecord | undefined {
  if (readPath(json, 'version') !== SNAPSHOT_VERSION) return undefined;
  if (JSON.stringify(readPath(json, 'roots')) !== JSON.stringify(roots.map(rootKey))) return undefined;
  const folders = foldersFrom(readPath(json, 'folders'));
  const files = filesFrom(readPath(json, 'manifest'), readPath(json, 'contents'));
  return folders && files && { folders, files };
}

/** All or nothing, here and below: one row that is not ours spoils the whole. */
function foldersFrom(rows: Json | undefined): SurveyRecord['folders'] | undefined {
  if (!Array.isArray(rows)) return undefined;
  const map = new Map<string, FolderRecord>();
  for (const row of rows) {
    if (!isStrings(row) || row.length !== 5) return undefined;
    const has = cell(row, 2);
    map.set(cell(row, 0), {
      stamp: cell(row, 1),
      folders: list(cell(row, 3), NAMES),
      links: list(cell(row, 4), NAMES),
      skill: has.includes(SKILL),
      description: has.includes(DESCRIPTION),
    });
  }
  return map;
}

function filesFrom(manifest: Json | undefined, contents: Json | undefined): SurveyRecord['files'] | undefined {
  if (!isObject(manifest) || !Array.isArray(contents)) return undefined;
  const map = new Map<string, FileRecord>();
  for (const path of Object.keys(manifest)) {
    const stamp = manifest[path];
    const row: unknown = contents[map.size];
    if (!Array.isArray(stamp) || !isStrings(row)) return undefined;
    const mtime: unknown = stamp[0];
    const size: unknown = stamp[1];
    if (typeof mtime !== 'string' || typeof size !== 'number' || !WIDTHS.has(row.length)) return undefined;
    map.set(path, { stamp: [mtime, size], content: contentFrom(row) });
  }
  return map.size === contents.length ? map : undefined;
}
const WIDTHS = new Set([1, 2, HEAD_CELLS]);

function contentFrom(row: readonly string[]): HeadResult {
  const problem = cell(row, 0);
  const told = problem === '' ? {} : { problem };
  if (row.length === 1) return told;
  return row.length === 2 ? { description: cell(row, 1), ...told } : { head: headFrom(row), ...told };
}

function headFrom(row: readonly string[]): Head {
  const version = cell(row, 3);
  const category = cell(row, 4);
  return {
    name: cell(row, 2),
    description: cell(row, 1),
    ...(version !== '' && { version }),
    ...(category !== '' && { category }),
    platforms: list(cell(row, 5), ITEMS),
    tags: list(cell(row, 6), ITEMS),
    related: list(cell(row, 7), ITEMS),
    conditions: {
      requiresTools: list(cell(row, 8), ITEMS),
      requiresToolsets: list(cell(row, 9), ITEMS),
      fallbackForTools: list(cell(row, 10), ITEMS),
      fallbackForToolsets: list(cell(row, 11), ITEMS),
    },
  };
}

const isStrings = (json: unknown): json is readonly string[] => Array.isArray(json) && json.every(isString);
const isString = (json: unknown): boolean => typeof json === 'string';
const cell = (row: readonly string[], index: number): string => row[index] ?? '';
const list = (text: string, between: string): readonly string[] => (text === '' ? NONE : text.split(between));
const NONE: readonly string[] = [];
