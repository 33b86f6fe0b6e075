import { UsageError } from '../base/errors.ts';
import { findNearest } from '../base/text.ts';
import { toVisibleLine } from '../base/visible.ts';
import type { AnyCommand, CommandSurface, CommandValues, CommandParameter, ParameterValue } from '../contracts/command.ts';
import type { CommandRegistry } from './registry.ts';
import { formatOptionName, formatSlashUsage, MANY_OPTIONS } from './usage-line.ts';

/** Where a line was typed. */
export interface SlashOptions {
  readonly registry: Pick<CommandRegistry, 'resolve'>;
  readonly place: CommandSurface;
  /** The session it was typed in; absent where there is none yet. */
  readonly sessionId?: string;
  /** One can begin where there is none yet. */
  readonly canBegin?: boolean;
  /** Other names that may stand behind a slash (skills): in full they win over the beginning of a command's name. */
  readonly others?: readonly string[];
  /** Only names in full are commands, as in a message that a script wrote; all else is text. */
  readonly exact?: boolean;
}

export type SlashLine =
  /** No command: words for the model, a path, or one of the other names. */
  | { readonly type: 'text' }
  | {
      readonly type: 'command';
      readonly command: AnyCommand;
      readonly called: string;
      readonly values: CommandValues;
      /** The value that is still to come: the id of the session that begins for it. */
      readonly begins?: string;
    }
  /** Nothing of that name; the words say so and name what is near. */
  | { readonly type: 'unknown'; readonly name: string; readonly words: string };

/** Reads what somebody typed in a session. A command that is there but used wrongly is a `UsageError`. */
export function readSlash(
  line: string,
  { registry, place, sessionId, canBegin = false, others = [], exact = false }: SlashOptions,
): SlashLine {
  const found = /^\s*\/([^\s/@]+)(?:@\S*)?(?:\s+([\s\S]*\S))?\s*$/.exec(line);
  const [, name, rest = ''] = found ?? [];
  if (name === undefined) return { type: 'text' };
  const words = [name, ...rest.split(/\s+/).filter((word) => word !== '')];
  const resolved = registry.resolve(words, place);
  const named = resolved.type === 'found' && resolved.by === 'name';
  if (!named && (exact || others.includes(name))) return { type: 'text' };
  if (resolved.type === 'unknown')
    return { type: 'unknown', name, words: shellWords(words, registry, place) ?? unknownWords(name, resolved.candidates, others) };
  const { command, called, taken } = resolved;
  const values = readValues(behind(rest, taken - 1), command, called);
  const [key, asked] = findSessionParameter(command) ?? [];
  if (key === undefined) return { type: 'command', command, called, values };
  if (sessionId !== undefined) return { type: 'command', command, called, values: { ...values, [key]: sessionId } };
  if (canBegin && asked?.begins === true) return { type: 'command', command, called, values, begins: key };
  if (asked?.required === true) throw new UsageError(asked.session ?? '');
  return { type: 'command', command, called, values };
}

/** The text behind so many words, as it was typed. */
const behind = (text: string, words: number): string => text.replace(new RegExp(`^(?:\\S+\\s*){${words}}`), '');

/** A command of the shell is sooner meant than another one of a similar name. */
function shellWords(words: readonly string[], registry: SlashOptions['registry'], place: CommandSurface): string | undefined {
  const found = place === 'terminal' ? registry.resolve(words, 'shell') : undefined;
  return found?.type === 'found' && found.by === 'name' ? `/${found.called} works only in a shell: hermes ${found.called}` : undefined;
}

/** More than these are what a short beginning could be. */
const MAX_GUESSES = 2;
const listNames = (names: readonly string[]): string => `/${names.slice(0, -1).join(', /')} or /${names.at(-1) ?? ''}`;

function unknownWords(name: string, candidates: readonly string[], others: readonly string[]): string {
  const guess = findNearest(name, others);
  const near = candidates.length > 0 ? candidates : guess === undefined ? [] : [guess];
  if (near.length > MAX_GUESSES) return `/${toVisibleLine(name)} could be ${listNames(near)}. Type more of the name.`;
  const meant = near.length === 0 ? '.' : `; did you mean ${near.map((each) => `/${each}`).join(' or ')}?`;
  return `there is no command /${toVisibleLine(name)}${meant} /help lists them.`;
}

/** What stands behind the name, by the command's parameters. The last argument takes the rest as it was typed. */
function readValues(text: string, command: AnyCommand, called: string): CommandValues {
  const { words, values } = readOptions(text, command, called);
  let rest = words;
  const typed = Object.entries(command.arguments ?? {}).filter(([, one]) => one.session === undefined);
  for (const [index, [key, one]] of typed.entries()) {
    const last = index === typed.length - 1;
    const [word = ''] = WORD.exec(rest) ?? [];
    const value = last ? rest : word;
    rest = last ? '' : rest.slice(word.length).trimStart();
    if (value !== '')
      values[key] = one.kind === 'list' ? wordsOf(value, one) : valueOf(one.prose === true ? value : unquoted(value), key, one);
    else if (one.required === true) throw new UsageError(`/${called} needs ${key}: ${describeUsage(command, called)}`);
  }
  if (rest !== '') throw new UsageError(`/${called} takes no words behind it: ${describeUsage(command, called)}`);
  return withDefaults(values, command);
}

/** What to type; of a command with many options, where they are explained. */
function describeUsage(command: AnyCommand, called: string): string {
  const usage = formatSlashUsage(command, called);
  return `it is ${usage}.${usage.endsWith(MANY_OPTIONS) ? ` /help ${called} explains the options.` : ''}`;
}

/** A word, or several in quotes. */
const WORD = /^(?:"[^"]*"|'[^']*')(?=\s|$)|^\S+/;
const unquoted = (text: string): string => /^"([^"]*)"$|^'([^']*)'$/.exec(text)?.slice(1).join('') ?? text;
const wordsOf = (text: string, { prose }: CommandParameter): string[] =>
  prose === true ? text.split(/\s+/) : splitWords(text).map(({ word }) => unquoted(word));

interface PlacedWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}
function splitWords(text: string): PlacedWord[] {
  const found: PlacedWord[] = [];
  for (let at = text.search(/\S/); at !== -1 && at < text.length;) {
    const [word = ''] = OPTION_WORD.exec(text.slice(at)) ?? WORD.exec(text.slice(at)) ?? [];
    found.push({ word, start: at, end: at + word.length });
    const next = text.slice(at + word.length).search(/\S/);
    at = next === -1 ? -1 : at + word.length + next;
  }
  return found;
}
/** `--name="several words"` is one. */
const OPTION_WORD = /^--[^\s=]+=(?:"[^"]*"|'[^']*')(?=\s|$)/;

/** Takes the options out of a text; among free words what is no option stays where it is. */
function readOptions(text: string, command: AnyCommand, called: string) {
  const values: Record<string, ParameterValue> = {};
  const options = Object.entries(command.options ?? {}).filter(([, one]) => one.session === undefined);
  const usage = describeUsage(command, called);
  const taken: PlacedWord[] = [];
  const words = splitWords(text);
  for (const [index, word] of words.entries()) {
    const [, name, attached] = /^(--[^\s=]+)(?:=([\s\S]*))?$/.exec(word.word) ?? [];
    if (name === undefined || taken.includes(word)) continue;
    const found = options.find(([key]) => formatOptionName(key) === name);
    if (found === undefined && takesProse(command)) continue;
    if (found === undefined) throw new UsageError(`/${called} does not know ${toVisibleLine(name)} here: ${usage}`);
    const [key, one] = found;
    const next = one.kind === 'flag' || attached !== undefined ? undefined : words[index + 1];
    if (one.kind === 'flag' && attached !== undefined) throw new UsageError(`${name} takes no value: ${usage}`);
    const value = unquoted(attached ?? (next?.word.startsWith('--') === true ? '' : (next?.word ?? '')));
    if (one.kind !== 'flag' && value === '') throw new UsageError(`${name} needs a value: ${usage}`);
    values[key] = one.kind === 'flag' ? true : one.kind === 'list' ? [...listOf(values[key]), value] : valueOf(value, name, one);
    taken.push(word, ...(next === undefined ? [] : [next]));
  }
  return { words: without(text, taken), values };
}
const listOf = (value: ParameterValue | undefined): readonly string[] => (Array.isArray(value) ? value : []);
/** What is left of a text, as it was typed. */
const without = (text: string, taken: readonly PlacedWord[]): string =>
  taken.reduceRight((left, { start, end }) => `${left.slice(0, start)}${left.slice(end).trimStart()}`, text).trim();

export const takesProse = ({ arguments: declared = {} }: AnyCommand): boolean =>
  Object.values(declared).some(({ prose }) => prose === true);

function valueOf(text: string, name: string, one: CommandParameter): ParameterValue {
  if (one.kind === 'whole_number') {
    if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${name} must be a whole number, 0 or more, not ${toVisibleLine(text)}.`);
    return Number(text);
  }
  if (one.kind === 'choice' && !one.choices.includes(text))
    throw new UsageError(
      `${name.startsWith('-') ? name : (one.placeholder ?? name)} must be one of ${one.choices.join(', ')}, not ${toVisibleLine(text)}.`,
    );
  return text;
}

const withDefaults = (values: CommandValues, { arguments: declared = {}, options = {} }: AnyCommand): CommandValues => ({
  ...Object.fromEntries(
    Object.entries({ ...declared, ...options }).flatMap(([key, one]) =>
      'default' in one && one.default !== undefined ? [[key, one.default]] : [],
    ),
  ),
  ...values,
});

/** The parameter that the session itself stands for. */
const findSessionParameter = ({ arguments: declared, options }: AnyCommand) =>
  Object.entries({ ...declared, ...options }).find(([, one]) => one.session !== undefined);
