import { join } from 'node:path';
import { isObject, readNumberAt, readStringAt } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import { changeRecord, readRecords } from '../manage/record-file.ts';
import type { FileHashes } from '../view/files.ts';
import type { FileFinding } from './inspect.ts';

/** How an installed skill came here. */
export interface LockEntry {
  readonly name: string;
  /** As it can be fetched again. */
  readonly source: string;
  readonly files: FileHashes;
  /** Milliseconds. */
  readonly at: number;
}

const lockPath = (userDir: string): string => join(userDir, '.lock.json');

export const readLockEntries = (userDir: string): readonly LockEntry[] =>
  [...readRecords(lockPath(userDir))].flatMap(([name, record]) => entryFrom(name, record) ?? []);
export const findLockEntry = (userDir: string, name: string): LockEntry | undefined =>
  readLockEntries(userDir).find((entry) => entry.name === name);

function entryFrom(name: string, record: JsonObject): LockEntry | undefined {
  const [source, files] = [readStringAt(record, 'source'), record['files']];
  if (source === undefined || !isObject(files)) return undefined;
  const hashes = Object.entries(files).flatMap(([path, hash]): [string, string][] => (typeof hash === 'string' ? [[path, hash]] : []));
  return { name, source, files: Object.fromEntries(hashes), at: readNumberAt(record, 'at') ?? 0 };
}

/** The findings are for people who read the file; nothing here depends on them. */
export const keepLockEntry = (userDir: string, { name, source, files, at }: LockEntry, findings: readonly FileFinding[]): void =>
  changeRecord(lockPath(userDir), name, {
    name,
    source,
    files,
    at,
    findings: findings.map(({ file, threat, severe, line, excerpt }) => ({ file, threat, severe, line, excerpt })),
  });
export const dropLockEntry = (userDir: string, name: string): void => changeRecord(lockPath(userDir), name, undefined);

/** Paths whose files are not as they were when the entry was made. */
export const findDrift = (then: FileHashes, now: FileHashes): readonly string[] =>
  [...new Set([...Object.keys(then), ...Object.keys(now)])].filter((path) => then[path] !== now[path]).toSorted();
