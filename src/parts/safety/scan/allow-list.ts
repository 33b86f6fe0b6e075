import { renameSync } from 'node:fs';
import { isObject, readNumberAt, parseJson, readStringAt } from '../../../base/json.ts';
import { replaceFile } from '../../../base/replace-file.ts';
import { readTextFile } from '../../../base/text-file.ts';

/** One text that the owner let in although the scanner objects: this very text, not its file. */
export interface AllowedFile {
  readonly hash: string;
  /** For the owner who reads the list. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface AllowList {
  add(entry: AllowedFile): void;
  remove(hash: string): void;
  list(): readonly AllowedFile[];
  has(hash: string): boolean;
  /** Why the list could not be read; empty when it could. Nothing is allowed then. */
  notices(): readonly string[];
}

const VERSION = 1;
const MAX_BYTES = 4 * 1024 * 1024;
const HASH = /^[0-9a-f]{64}$/;

/** The allow list in a file. Read when first asked and before each change; a change is whole or not at all. */
export function createAllowList(file: string): AllowList {
  let known: StoredAllowList | undefined;
  const stored = () => (known ??= read(file));
  const change = (next: (entries: readonly AllowedFile[]) => readonly AllowedFile[]) => {
    const now = read(file);
    // What cannot be read is kept: perhaps a person can mend it.
    if (now.broken) renameSync(file, `${file}.broken`);
    replaceFile(file, `${JSON.stringify({ version: VERSION, files: next(now.entries) }, undefined, 2)}\n`);
    known = undefined;
  };
  return {
    add: (entry) => change((entries) => [...entries.filter(({ hash }) => hash !== entry.hash), entry]),
    remove: (hash) => change((entries) => entries.filter((entry) => entry.hash !== hash)),
    list: () => stored().entries,
    has: (hash) => stored().entries.some((entry) => entry.hash === hash),
    notices: () => stored().notices,
  };
}

interface StoredAllowList {
  readonly entries: readonly AllowedFile[];
  readonly notices: readonly string[];
  readonly broken: boolean;
}

function read(file: string): StoredAllowList {
  const found = readTextFile(file, MAX_BYTES);
  if (!found.ok) return found.missing ? EMPTY : broken(file, found.why);
  const value = parseJson(found.text);
  if (!isObject(value) || !Array.isArray(value['files'])) return broken(file, 'it is not the JSON that was written there');
  if (value['version'] !== VERSION) return broken(file, `its version is not ${VERSION}`);
  return { entries: value['files'].flatMap(entryOf), notices: [], broken: false };
}

function entryOf(value: unknown): readonly AllowedFile[] {
  const hash = readStringAt(value, 'hash') ?? '';
  return HASH.test(hash) ? [{ hash, name: readStringAt(value, 'name') ?? '', at: readNumberAt(value, 'at') ?? 0 }] : [];
}

const EMPTY: StoredAllowList = { entries: [], notices: [], broken: false };
const broken = (file: string, why: string): StoredAllowList => ({
  entries: [],
  notices: [
    `The list of allowed files ${file} could not be read (${why}); until it is mended no file is allowed by it. The next hermes prompt allow starts a new list and keeps the old one as ${file}.broken.`,
  ],
  broken: true,
});
