import { readFileSync } from 'node:fs';
import { messageOf, UsageError } from '../base/errors.ts';
import { nearest } from '../base/text.ts';
import type { Field } from '../contracts/settings.ts';
import { expandVariables } from './expand-variables.ts';
import { isLater, laterSections } from './later-keys.ts';
import { rangeOf, readValue } from './read-value.ts';
import { SETTINGS, type Settings } from './settings.ts';

export type Env = Readonly<Record<string, string | undefined>>;
export type Source = 'default' | 'file' | 'env' | 'flag';

export interface Config {
  readonly settings: Settings;
  /** Where each value that is not a default came from. */
  readonly sources: Readonly<Record<string, Source>>;
}
/** A value in the file: what it is and where it stands. */
export interface Placed {
  readonly value: unknown;
  readonly line: number;
}
export interface Problem {
  readonly key: string;
  readonly line?: number;
  readonly words: string;
  readonly cure: string;
  /** The variable it is about, when it is not about the file. */
  readonly variable?: string;
}
/** Everything the file and the environment say, with all that is wrong about it. */
export interface Reading {
  readonly values: Readonly<Record<string, unknown>>;
  readonly sources: Readonly<Record<string, Source>>;
  readonly lines: ReadonlyMap<string, number>;
  readonly problems: readonly Problem[];
  /** Worth a word, no reason to stop. */
  readonly warnings: readonly Problem[];
}

export const FIELDS: ReadonlyMap<string, Field> = new Map<string, Field>(Object.entries(SETTINGS));
/** Top-level words of the file that are ours: sections, and settings that stand alone. */
export const OWN_SECTIONS: ReadonlySet<string> = new Set([...FIELDS.keys()].map((key) => key.split('.')[0] ?? ''));

/** Reads the file if there is one, then variables that name a setting. A mistake is an error that says file, line and cure. */
export async function loadConfig(path: string, env: Env, warn: (words: string) => void = toStderr): Promise<Config> {
  const reading = await readConfig(path, env);
  const { problems, warnings } = reading;
  const [first, ...more] = problems;
  if (first !== undefined)
    throw new UsageError(`${tell(path, first)}${more.length === 0 ? '' : ` (and ${more.length} more: hermes config check)`}`);
  for (const warning of warnings) warn(tell(path, warning));
  return configOf(reading);
}

/** Every value was read by its own field, which is what the type says. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one border where read values get their type
export const configOf = ({ values, sources }: Reading): Config => ({ settings: values as unknown as Settings, sources });

const toStderr = (words: string): void => void process.stderr.write(`hermes: ${words}\n`);

/** A problem in one line: where, what, cure. */
export const tell = (path: string, { line, words, cure, variable }: Problem): string =>
  `${variable ?? `${path}${line === undefined ? '' : `:${line}`}`}: ${words}. ${cure}`;

export async function readConfig(path: string, env: Env): Promise<Reading> {
  const file = await readConfigFile(path, env);
  const values: Record<string, unknown> = Object.fromEntries([...FIELDS].map(([key, field]) => [key, field.default]));
  const sources: Record<string, Source> = {};
  for (const [key, { value }] of file.placed) {
    values[key] = value;
    sources[key] = 'file';
  }
  const problems = [...file.problems];
  for (const [key, { env: variable, ...field }] of FIELDS) {
    const raw = variable === undefined ? undefined : env[variable];
    if (variable === undefined || raw === undefined || raw === '') continue;
    const read = readValue(field, raw);
    if (!read.ok) problems.push({ key, variable, words: `${key} ${read.words}`, cure: `Set it to a ${rangeOf(field)}, or unset it.` });
    else {
      values[key] = read.value;
      sources[key] = 'env';
    }
  }
  return { values, sources, problems, warnings: file.warnings, lines: new Map([...file.placed].map(([key, { line }]) => [key, line])) };
}

interface FileReading {
  readonly placed: ReadonlyMap<string, Placed>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** The file's values by dotted key, with every problem found; YAML is loaded only when there is a file. */
async function readConfigFile(path: string, env: Env): Promise<FileReading> {
  let text: string | undefined;
  try {
    text = readIfThere(path);
  } catch (error) {
    return { placed: new Map(), problems: [{ key: '', words: messageOf(error), cure: UNREADABLE }], warnings: [] };
  }
  if (text === undefined || text.trim() === '') return { placed: new Map(), problems: [], warnings: [] };
  const { flatten } = await import('./yaml-values.ts');
  const { values, problems } = flatten(text, (key) => FIELDS.get(key)?.kind);
  const found = { placed: new Map<string, Placed>(), problems: [...problems], warnings: [] as Problem[] };
  for (const [key, placed] of values) place(key, placed, env, found);
  return found;
}

function place(
  key: string,
  { value, line }: Placed,
  env: Env,
  found: { placed: Map<string, Placed>; problems: Problem[]; warnings: Problem[] },
): void {
  const field = FIELDS.get(key);
  if (field === undefined) {
    if (key === 'model.api_key') found.warnings.push({ key, line, ...KEY_IN_FILE });
    else if (!isLater(key, OWN_SECTIONS)) found.problems.push({ key, line, ...unknownKey(key) });
    return;
  }
  const { value: raw, unset } = expandVariables(value, env);
  for (const name of unset)
    found.warnings.push({
      key,
      line,
      words: `${key} names the variable ${name}, which is not set`,
      cure: `The text stays as it is; set ${name} or write the value.`,
    });
  const read = readValue(field, raw);
  if (read.ok) found.placed.set(key, { value: read.value, line });
  else found.problems.push({ key, line, words: `${key} ${read.words}`, cure: `hermes config explain ${key} says more.` });
}

const KEY_IN_FILE = {
  words: 'model.api_key is not read: keys do not belong in this file',
  cure: 'Put it into .env, for example with: hermes config set OPENAI_API_KEY …',
};

const UNREADABLE = 'Make it a file you may read, or move it away to start with the defaults.';

/** Throws for a file that is there and cannot be read. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new UsageError(`the file could not be read: ${messageOf(error)}`);
  }
}

/** Words for a key nobody knows, with the nearest that somebody does. */
export function unknownKey(key: string): { readonly words: string; readonly cure: string } {
  if (OWN_SECTIONS.has(key))
    return { words: `${key} is a section, not a setting`, cure: `Write its settings below it, for example ${memberOf(key)}.` };
  const guess = guessAt(key);
  return {
    words: `there is no setting ${key}`,
    cure: `${guess === undefined ? '' : `Did you mean ${guess}? `}hermes config schema lists them all.`,
  };
}

/** The right word in the wrong section, then the nearest key or section, then the nearest last word. */
function guessAt(key: string): string | undefined {
  const last = key.split('.').at(-1) ?? key;
  const lastWords = [...FIELDS.keys()].map((each) => each.split('.').at(-1) ?? each);
  const near = nearest(key, [...FIELDS.keys(), ...OWN_SECTIONS, ...laterSections()]);
  return fullKey(last) ?? near ?? fullKey(nearest(last, lastWords) ?? '');
}

const fullKey = (last: string): string | undefined => [...FIELDS.keys()].find((key) => key === last || key.endsWith(`.${last}`));
const memberOf = (section: string): string => [...FIELDS.keys()].find((key) => key.startsWith(`${section}.`)) ?? section;
