import type { ShellCommand, SimpleCommand, Word } from '../../../base/shell/ast.ts';
import { readShell } from '../../../base/shell/read.ts';
import { joinWordParts, listSubstitutions } from '../../../base/shell/tree.ts';

const always = (): boolean => true;
const without =
  (option: RegExp) =>
  (args: readonly string[]): boolean =>
    !args.some((word) => option.test(word));
const GREP = without(/^-\w*o|^--(?:only-matching|colou?r)/);
const COUNT = '(?:\\d+|\\$|/[^/]*/)';
const SED_PRINTS = new RegExp(`^(?:${COUNT}(?:,${COUNT})?)?p$`);

/**
 * Programs that print lines as they stand, and the words with which they do: a known value in them is recognized and taken out.
 * Cut into characters, turned into other letters or packed it would not be. Adding one is a row.
 */
const AS_IS: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  cat: always,
  less: always,
  more: always,
  nl: always,
  sort: always,
  wc: always,
  tac: without(/^-/),
  uniq: without(/^-\w*[sfw]/),
  head: without(/^-\w*c|^--bytes/),
  tail: without(/^-\w*c|^--bytes/),
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  rg: without(/^-\w*[or]|^--(?:only-matching|replace|json|colou?rs?|pre|encoding)/),
  sed: ([quiet = '', script = '']) => /^(?:-n|--quiet|--silent)$/.test(quiet) && SED_PRINTS.test(script),
  awk: ([script = '', ...rest]) =>
    (/^(?:\/[^/]*\/)?\s*(?:\{\s*print(?: \$0)?\s*\})?$/.test(script) && script !== '') ||
    // The names of variables without their values.
    (/^-F\s?=?$/.test(script) && /^\{\s*print \$1\s*\}$/.test(rest.find((word) => word !== '=') ?? '')),
  cut: (args) => /^-d ?= -f ?1\b|^-f ?1 -d ?=/.test(args.join(' ')),
};

/** Whether a line hands what stands in a file of that name to nothing but programs that print it as it stands. */
export function showsAsIs(line: string, file: string): boolean {
  const { list, whole } = readShell(line);
  if (!whole) return false;
  return list.every(({ commands }) => {
    if (!commands.every(isPlain)) return false;
    const first = commands.findIndex((command) => mentions(command, file));
    return first < 0 || commands.slice(first).every(printsAsIs);
  });
}

const textOf = (word: Word): string | undefined => joinWordParts(word, () => undefined);

/** A command by itself: what it prints is kept in no variable and handed to no other program but by a pipe. */
const isPlain = (command: ShellCommand): command is SimpleCommand =>
  command.type === 'simple' &&
  [...command.words, ...command.assignments.flatMap(({ values }) => values), ...command.redirections.map(({ target }) => target)].every(
    ({ parts }) => listSubstitutions(parts).length === 0,
  );

/** Words that are only known when it runs may name it. */
const mentions = (command: ShellCommand, file: string): boolean =>
  command.type !== 'simple' ||
  [...command.words, ...command.redirections.map(({ target }) => target)].some((word) => textOf(word)?.includes(file) !== false);

const printsAsIs = (command: ShellCommand): boolean => {
  const [name = '', ...args] = command.type === 'simple' ? command.words.map((word) => textOf(word) ?? '') : [];
  return Object.hasOwn(AS_IS, name) && AS_IS[name]?.(args) === true;
};
