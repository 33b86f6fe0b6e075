import { join } from 'node:path';
import { isObject, parseJson } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import { replaceFile } from '../../../base/replace-file.ts';
import { readTextFile } from '../../../base/text-file.ts';

/** A provider's own settings in the profile's folder. A file that is not there has none; one that cannot be understood is trouble. */
export type OwnFile = { readonly ok: true; readonly values: JsonObject } | { readonly ok: false; readonly trouble: string };

const MAX_BYTES = 256 * 1024;

export const toOwnPath = (root: string, name: string): string => join(root, `${name}.json`);

export function readOwnFile(root: string, name: string): OwnFile {
  const path = toOwnPath(root, name);
  const file = readTextFile(path, MAX_BYTES);
  if (!file.ok) return file.missing ? { ok: true, values: {} } : { ok: false, trouble: `${path} cannot be read: ${file.why}.` };
  const values = parseJson(file.text);
  return isObject(values) ? { ok: true, values } : { ok: false, trouble: `${path} is not a JSON object. Correct it or remove it.` };
}

/** Keeps what is there beside what changes. Throws for a file that cannot be understood: nothing of it is lost. */
export function changeOwnFile(root: string, name: string, change: (values: JsonObject) => JsonObject): JsonObject {
  const file = readOwnFile(root, name);
  if (!file.ok) throw new Error(`${file.trouble} Nothing was written.`);
  const values = change(file.values);
  replaceFile(toOwnPath(root, name), `${JSON.stringify(values, null, 2)}\n`, 0o600);
  return values;
}

export const toText = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
export const toCount = (value: Json | undefined, usual: number, most: number): number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? Math.min(value, most) : usual;
