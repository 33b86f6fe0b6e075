import { isAbsolute, resolve } from 'node:path';
import { quoteShellWord } from '../../../../base/shell.ts';
import { isWithin } from '../../../../base/within.ts';
import type { ProgramSettings } from '../../../../contracts/safety.ts';
import { PROGRAM_ACTS, type ProgramActs } from './programs.ts';
import { STANDING } from './standing.ts';
import { describeStatements } from './statements.ts';

/** A program with the words it is called with, all of them known. */
export interface ScopedCall {
  readonly name: string;
  readonly args: readonly string[];
  /** Variables set for it alone, as `NAME=value`. */
  readonly settings?: readonly string[];
  /** Where it acts when its words do not say. */
  readonly standing?: ProgramSettings | undefined;
  /** The folder it runs in. */
  readonly cwd?: string | undefined;
}

const MAX_SCOPE = 400;

/**
 * What a yes to a command can be held to besides its very words: the program, its verb, and where it acts
 * (`kubectl delete pod @namespace=staging`). Nothing for a program nobody here knows, and where its words do not tell.
 */
export function scopeOfCommand(call: ScopedCall): string | undefined {
  const acts = Object.hasOwn(PROGRAM_ACTS, call.name) ? PROGRAM_ACTS[call.name] : undefined;
  if (acts === undefined) return undefined;
  const read = readWords(call, acts);
  const words = read && shapeWords(acts, read);
  if (read === undefined || words === undefined) return undefined;
  const where = placesOf(call, acts, read, words.named);
  const scope = where && [call.name, ...words.kept.map(spell), ...where].join(' ');
  return scope === undefined || scope.length > MAX_SCOPE || /[\r\n]/.test(scope) ? undefined : scope;
}

/** A word that cannot be taken for another, or for the place of an act. */
const spell = (word: string): string => (/^[\w%+=:,./-][\w@%+=:,./-]*$/.test(word) ? word : quoteShellWord(word));

interface ReadWords {
  /** Words that are no options, in their order. */
  readonly operands: readonly string[];
  /** Options that stay in the act. */
  readonly options: readonly string[];
  readonly where: readonly (readonly [name: string, value: string])[];
  /** What stands behind `--`, with it. */
  readonly rest: readonly string[];
  readonly statements: readonly string[];
}

const words = (text = ''): ReadonlySet<string> => new Set(text.split(/\s+/));
/** Options that change nothing of what any program does. */
const QUIET = /^--(?:verbose|no-color|color(?:=\w+)?|colour)$/;
/** Options that are known to take no value. */
const FLAG =
  /^--(?:all|amend|cascade|delete|dry-run|force|force-with-lease|hard|mirror|mixed|no-verify|prune|purge|recursive|remove-orphans|soft|tags|user|volumes)$/;

function readWords({ args }: ScopedCall, acts: ProgramActs): ReadWords | undefined {
  const [quiet, quietWith, statements, files] = [acts.quiet, acts.quietWith, acts.statements, acts.files].map(words);
  const read = {
    operands: [] as string[],
    options: [] as string[],
    where: [] as [string, string][],
    rest: [] as string[],
    statements: [] as string[],
  };
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    // Behind the place it goes to stands a command, with options of its own.
    if (acts.commandBehind === true && read.operands.length > 0) return { ...read, rest: args.slice(at) };
    if (word === '--') return { ...read, rest: args.slice(at) };
    if (!/^-./.test(word)) {
      read.operands.push(word);
      continue;
    }
    const { option, value, isSplit } = splitOption(word, acts);
    const next = value ?? args[at + 1];
    if (files?.has(option) === true) return undefined;
    const named = acts.where?.[option];
    if (named !== undefined || statements?.has(option) === true || quietWith?.has(option) === true) {
      if (named === ALL) read.where.push([ALL, 'yes']);
      else if (next === undefined) return undefined;
      else if (named !== undefined) read.where.push([named, next]);
      else if (statements?.has(option) === true) read.statements.push(next);
      if (!isSplit && named !== ALL) at++;
    } else if (quiet?.has(word) !== true && !QUIET.test(word)) {
      read.options.push(word);
      // Whether it takes the next word nobody here knows: then both belong to the act.
      if (
        !word.includes('=') &&
        word.startsWith('--') &&
        !FLAG.test(word) &&
        next !== undefined &&
        !next.startsWith('-') &&
        read.operands.length > 0
      )
        read.options.push(next);
    }
  }
  return read;
}
/** An option that takes no value and means every place there is. */
const ALL = 'all';

/** `--namespace=x`, `-nx` and `-n x` are the same. */
function splitOption(
  word: string,
  { where = {} }: ProgramActs,
): { readonly option: string; readonly value?: string; readonly isSplit: boolean } {
  const [, option = word, value] = /^(-[^=]*)=(.*)$/s.exec(word) ?? [];
  if (value !== undefined) return { option, value, isSplit: true };
  const short = word.slice(0, 2);
  const isJoined =
    /^-[a-z]./i.test(word) && !word.startsWith('--') && where[word] === undefined && where[short] !== undefined && where[short] !== ALL;
  return isJoined ? { option: short, value: word.slice(2), isSplit: true } : { option: word, isSplit: false };
}

interface ShapedWords {
  readonly kept: readonly string[];
  readonly named: readonly (readonly [name: string, value: string])[];
}

function shapeWords(acts: ProgramActs, { operands, options, rest, statements }: ReadWords): ShapedWords | undefined {
  if (acts.commandBehind === true) return shapeFarCommand(operands, options, rest);
  if (acts.statements !== undefined) {
    const said = describeStatements(statements);
    return said === undefined ? undefined : { kept: [...options, ...said], named: namedBy(acts.names?.[''], operands) };
  }
  const verb = operands[0] ?? '';
  const names = acts.names?.[verb];
  const shown = rest[0] === '--' ? [...operands, ...rest] : operands;
  const limit = limitOf(shown, acts.keeps ?? {});
  const cut = names === undefined ? shown.slice(0, limit) : [verb, ...operands.slice(1 + names.length), ...rest];
  return {
    kept: [...cut.map((word, at) => (acts.kinds === true && at > 0 && at + 1 === limit ? (word.split('/')[0] ?? word) : word)), ...options],
    named: namedBy(names, operands.slice(1)),
  };
}

/** How many words of an act stay, by the longest verb that has a row. */
function limitOf(operands: readonly string[], keeps: Readonly<Record<string, number>>): number {
  for (let length = 2; length > 0; length--) {
    const limit = keeps[operands.slice(0, length).join(' ')];
    if (limit !== undefined && operands.length >= length) return limit;
  }
  return Infinity;
}

const namedBy = (names: readonly string[] = [], values: readonly string[]): ShapedWords['named'] =>
  names.flatMap((name, at) => (values[at] === undefined ? [] : [[name, values[at]] as const]));

/** `ssh HOST command`: held to the host, and to what the command would be held to there. */
function shapeFarCommand(operands: readonly string[], options: readonly string[], rest: readonly string[]): ShapedWords | undefined {
  const [host] = operands;
  if (host === undefined || rest.length === 0) return undefined;
  const line = rest.join(' ');
  // Anything a shell there would read is only these very words.
  if (/[;&|<>$`(){}*?[\]\\'"~\n#!]/.test(line)) return { kept: [...options, line], named: [['host', host]] };
  const [name = '', ...args] = line.split(/\s+/);
  const isAs = name === 'sudo';
  const far = scopeOfCommand({ name: isAs ? (args[0] ?? '') : name, args: isAs ? args.slice(1) : args });
  return { kept: [...options, far === undefined ? line : `${isAs ? 'sudo ' : ''}${far}`], named: [['host', host]] };
}

function placesOf(
  { settings = [], standing, cwd }: ScopedCall,
  acts: ProgramActs,
  read: ReadWords,
  named: ShapedWords['named'],
): readonly string[] | undefined {
  const variables = settings.map((each) => {
    const end = each.indexOf('=');
    return [acts.variables?.[each.slice(0, end)], each.slice(end + 1)] as const;
  });
  // A variable that nobody here knows may say where it acts.
  if (variables.some(([name]) => name === undefined)) return undefined;
  const all = [...read.where, ...named, ...variables.map(([name = '', value]) => [name, value] as const)];
  if (all.some(([name, value]) => NAMES_FILE.test(name) && (!isAbsolute(value) || isWithin(cwd ?? '/', value)))) return undefined;
  const stands = findStanding(all, acts, read.operands[0] ?? '', standing && { ...standing, cwd });
  if (stands === undefined) return undefined;
  const folder = all.find(([name]) => name === 'in')?.[1];
  const isHere = acts.here === true || acts.here?.includes(read.operands[0] ?? '') === true;
  if (isHere && cwd === undefined && folder?.startsWith('/') !== true) return undefined;
  const rest = [...all.filter(([name]) => name !== 'in'), ...stands];
  const here = isHere || folder !== undefined ? [['in', resolve(cwd ?? '/', folder ?? '.')] as const] : [];
  return [...new Set([...rest, ...here].map(([name, value]) => `@${name}=${spell(value)}`))].toSorted();
}
/** A file that says where it acts: one of the project may say something else the next time. */
const NAMES_FILE = /^(?:kubeconfig|config)$/;

type NamedPlaces = readonly (readonly [name: string, value: string])[];

/** The places its words leave out, from its settings; nothing when one of them cannot be told. */
function findStanding(
  named: NamedPlaces,
  { needs = [], needsFor, standing = {} }: ProgramActs,
  verb: string,
  settings: (ProgramSettings & Pick<ScopedCall, 'cwd'>) | undefined,
): NamedPlaces | undefined {
  const known = (name: string): string | undefined => named.find(([each]) => each === name)?.[1];
  const isNamed = (need: string): boolean =>
    need.split('|').some((name) => known(name) !== undefined) || (need === 'namespace' && known(ALL) !== undefined);
  const missing = [...needs, ...(needsFor?.[verb] ?? [])].filter((need) => !isNamed(need));
  const found = missing.map((need) => {
    const row = standing[need];
    const value = row === undefined || settings === undefined ? undefined : STANDING[row]({ ...settings, cwd: settings.cwd, known });
    return value === undefined ? undefined : ([need.split('|')[0] ?? need, value] as const);
  });
  return found.every((each) => each !== undefined) ? found : undefined;
}
