import { isObject } from '../../base/json.ts';
import { findNearest } from '../../base/text.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { MANIFEST_LIMITS } from './limits.ts';

/** One table of a manifest, read key by key. What is wrong is thrown in words that name the key; what nobody asked for is told. */
export interface ManifestTable {
  /** `undefined` when the key is not there. */
  text(key: string, limit?: number): string | undefined;
  line(key: string): string | undefined;
  flag(key: string): boolean;
  number(key: string, least: number, most: number): number | undefined;
  choice<Word extends string>(key: string, words: readonly Word[]): Word | undefined;
  texts(key: string, limit: number): readonly string[];
  object(key: string): JsonObject | undefined;
  tables(key: string, limit: number): readonly ManifestTable[];
  table(key: string): ManifestTable | undefined;
  /** Its members by name, each a table. */
  members(key: string, limit: number): readonly (readonly [name: string, table: ManifestTable])[];
  has(key: string): boolean;
  readonly path: string;
}

/** `unknown` gives every key that nobody read, in words that say so. */
export function readTable(value: JsonObject, path: string): { readonly table: ManifestTable; unknown(): readonly string[] } {
  const read = new Set<string>();
  const below: { unknown(): readonly string[] }[] = [];
  const at = (key: string): string => (path === '' ? key : `${path}.${key}`);
  const take = (key: string): Json | undefined => (read.add(key), value[key]);
  const open = (item: Json | undefined, where: string): ManifestTable => {
    if (!isObject(item)) throw new Error(`${where} must be a table.`);
    const { table, unknown } = readTable(item, where);
    below.push({ unknown });
    return table;
  };
  const text = (key: string, limit: number = MANIFEST_LIMITS.description): string | undefined => {
    const found = take(key);
    return found === undefined || found === null ? undefined : checkText(found, at(key), limit);
  };
  const list = (key: string, limit: number): readonly Json[] => {
    const found = take(key) ?? [];
    if (!Array.isArray(found)) throw new Error(`${at(key)} must be a list.`);
    if (found.length > limit) throw new Error(`${at(key)} has ${found.length} entries; ${limit} are allowed.`);
    return found;
  };
  const table: ManifestTable = {
    path,
    has: (key) => value[key] !== undefined && value[key] !== null,
    text,
    line: (key) => {
      const found = text(key, MANIFEST_LIMITS.line);
      return found === undefined ? undefined : checkLine(found, at(key));
    },
    flag: (key) => {
      const found = take(key) ?? false;
      if (typeof found !== 'boolean') throw new Error(`${at(key)} must be true or false.`);
      return found;
    },
    number: (key, least, most) => {
      const found = take(key);
      if (found === undefined || found === null) return undefined;
      if (typeof found !== 'number' || !(found >= least && found <= most))
        throw new Error(`${at(key)} must be a number from ${least} to ${most}.`);
      return found;
    },
    choice: (key, words) => {
      const found = text(key);
      if (found === undefined) return undefined;
      const word = words.find((each) => each === found);
      if (word === undefined) throw new Error(`${at(key)} is "${found.slice(0, 40)}"; it must be ${words.join(' or ')}.`);
      return word;
    },
    texts: (key, limit) =>
      list(key, limit).map((item, index) => {
        const where = `${at(key)}[${index}]`;
        return checkLine(checkText(item, where, MANIFEST_LIMITS.line), where);
      }),
    object: (key) => {
      const found = take(key);
      if (found === undefined || found === null) return undefined;
      if (!isObject(found)) throw new Error(`${at(key)} must be a table.`);
      return found;
    },
    tables: (key, limit) => list(key, limit).map((item, index) => open(item, `${at(key)}[${index}]`)),
    table: (key) => {
      const found = take(key);
      return found === undefined || found === null ? undefined : open(found, at(key));
    },
    members: (key, limit) => {
      const found = take(key) ?? {};
      if (!isObject(found)) throw new Error(`${at(key)} must be a table.`);
      const rows = Object.entries(found);
      if (rows.length > limit) throw new Error(`${at(key)} has ${rows.length} entries; ${limit} are allowed.`);
      return rows.map(([name, item]) => [name, open(item, `${at(key)}.${name}`)] as const);
    },
  };
  return {
    table,
    unknown: () => [
      ...Object.keys(value)
        .filter((key) => !read.has(key))
        .map((key) => {
          const guess = findNearest(key, [...read]);
          return `${at(key)}, which means nothing here.${guess === undefined ? '' : ` Did you mean ${guess}?`}`;
        }),
      ...below.flatMap((each) => each.unknown()),
    ],
  };
}

function checkLine(text: string, where: string): string {
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) throw new Error(`${where} must be one line without control or invisible characters.`);
  return text;
}
function checkText(found: Json, where: string, limit: number): string {
  const text = typeof found === 'number' ? String(found) : found;
  if (typeof text !== 'string') throw new Error(`${where} must be a text.`);
  if (text.length > limit) throw new Error(`${where} has ${text.length} characters; ${limit} are allowed.`);
  return text;
}
