import { isObject } from '../../../base/json.ts';
import { findNearest } from '../../../base/text.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import { isTruthy } from '../../../contracts/platform-settings.ts';

/** Reads values out of a table of the settings. What is wrong is told and left out: a mistake in one place never opens or closes another. */
export interface TableReader {
  /** Where it stands, for words about it. */
  readonly path: string;
  text(key: string): string | undefined;
  flag(key: string): boolean | undefined;
  /** Ids or names: a list, or words between commas. */
  list(key: string): readonly string[] | undefined;
  choice<Choice extends string>(key: string, choices: readonly Choice[]): Choice | undefined;
  table(key: string): JsonObject;
  isTable(key: string): boolean;
  /** A table in it, which is empty where there is none. */
  below(key: string): TableReader;
  keys(): readonly string[];
  /** Tells of keys that nobody reads. */
  refuseOthers(known: readonly string[]): void;
}

export function createTableReader(values: Readonly<Record<string, unknown>>, path: string, tell: (problem: string) => void): TableReader {
  const wrong = (key: string, what: string): undefined => {
    tell(`${path}.${key} must be ${what}.`);
    return undefined;
  };
  const read = <Value>(key: string, what: string, parse: (value: unknown) => Value | undefined): Value | undefined => {
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    return value === undefined || value === null ? undefined : (parse(value) ?? wrong(key, what));
  };
  const table = (key: string): JsonObject => read(key, 'a table', (value) => (isObject(value) ? value : undefined)) ?? {};
  return {
    path,
    text: (key) => read(key, 'text, in quotes if it is a long number', readId),
    flag: (key) => read(key, 'true or false', readFlag),
    list: (key) => {
      const ids = read(key, '', readIds);
      if (ids?.includes(UNREADABLE) === true) wrong(key, 'a list of ids, with long numbers in quotes');
      return ids;
    },
    choice: (key, choices) =>
      read(key, `one of ${choices.join(', ')}`, (value) => choices.find((choice) => listSpellings(value).includes(choice))),
    table,
    isTable: (key) => Object.hasOwn(values, key) && isObject(values[key]),
    below: (key) => createTableReader(table(key), `${path}.${key}`, tell),
    keys: () => Object.keys(values),
    refuseOthers: (known) => {
      for (const key of Object.keys(values).filter((each) => !known.includes(each))) {
        const nearest = findNearest(key, known);
        tell(`${path}.${key} has no effect${nearest === undefined ? '.' : `; did you mean ${nearest}?`}`);
      }
    },
  };
}

/** An id that YAML read as a number is only what was written while numbers of its size are exact. */
const readId = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.trim() : Number.isSafeInteger(value) ? String(value) : undefined;
/** In place of an id that cannot be read: nobody has it, and the list stays as long as it was meant to be. A shorter one could make somebody its only member. */
const UNREADABLE = '(unreadable)';
const readIds = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value.map(readId) : (readId(value)?.split(',') ?? [undefined])).flatMap((id) =>
    id === undefined ? UNREADABLE : id.trim() || [],
  );
const readFlag = (value: unknown): boolean | undefined =>
  typeof value === 'boolean' ? value : typeof value === 'string' || typeof value === 'number' ? isTruthy(String(value)) : undefined;
/** Whoever writes `off`, `false` or `true` means the word for nothing or for all. */
const listSpellings = (value: unknown): readonly unknown[] =>
  value === false || value === 'off' ? ['off', 'none'] : value === true ? ['all'] : [value];
