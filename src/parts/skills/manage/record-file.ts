import { renameSync } from 'node:fs';
import { readPath, isObject, parseJson } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import { replaceFile } from '../../../base/replace-file.ts';
import { readTextFile } from '../../../base/text-file.ts';

/** A small file of records by name, `{"version": 1, "skills": {…}}`. Changed only under the lock of the skills folder. */
type SkillRecords = ReadonlyMap<string, JsonObject>;

const VERSION = 1;
const MAX_BYTES = 16 * 1024 * 1024;

/** A file that is missing or no longer readable has no records: nothing is then known, and what is not known is asked about. */
export function readRecords(path: string): SkillRecords {
  const file = readTextFile(path, MAX_BYTES);
  return file.ok ? (recordsIn(file.text) ?? new Map()) : new Map();
}

function recordsIn(text: string): SkillRecords | undefined {
  const skills = readPath(parseJson(text), 'skills');
  if (!isObject(skills)) return undefined;
  const entries = Object.entries(skills);
  return new Map(entries.flatMap(([name, record]): [string, JsonObject][] => (isObject(record) ? [[name, record]] : [])));
}

/** Puts one record in place of what was there, or takes it out. */
export function changeRecord(path: string, name: string, record: JsonObject | undefined): void {
  const file = readTextFile(path, MAX_BYTES);
  const before = file.ok ? recordsIn(file.text) : undefined;
  // Somebody's damaged file is kept for them to look at.
  if (before === undefined && (file.ok || !file.missing)) renameSync(path, `${path}.damaged-${Date.now()}`);
  const records = new Map(before ?? []);
  if (record === undefined && !records.delete(name)) return;
  if (record !== undefined) records.set(name, record);
  const skills: Record<string, Json> = Object.fromEntries([...records].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  replaceFile(path, `${JSON.stringify({ version: VERSION, skills }, undefined, 2)}\n`);
}
