import { resolveTargetPath } from '../places/paths.ts';
import type { ShellContext } from '../places/shell-context.ts';
import type { Call, CommandRule } from '../call/call.ts';

/** What is left besides the flags; after `--` everything is. */
export function listOperands(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  const isOperand = (word: string): boolean => !/^-./.test(word);
  return end < 0 ? args.filter(isOperand) : [...args.slice(0, end).filter(isOperand), ...args.slice(end + 1)];
}

/** Short flags may stand together in one word (`-rf`), long ones stand alone. */
export const hasFlag = (args: readonly string[], letters: string, ...long: readonly string[]): boolean =>
  args.some(
    (word) =>
      (/^-[^-]/.test(word) && letters.split('').some((letter) => word.includes(letter))) ||
      long.some((flag) => word === flag || word.startsWith(`${flag}=`)),
  );

/** The values behind a flag, in the next word or in the same. */
export const listFlagValues = (args: readonly string[], flag: RegExp): string[] =>
  args.flatMap((word, index) => {
    if (flag.test(word)) return args[index + 1] ?? [];
    const [name = '', value] = word.split(/=(.*)/s);
    return value !== undefined && flag.test(name) ? value : [];
  });

/** Paths that may hide in a word: itself, behind `=`, `@` or `<`, before or behind a colon. */
export const findWordPaths = (words: readonly string[], place: ShellContext): string[] =>
  words.flatMap((word) => {
    const parts = [word, ...word.split(/[=@<>:,]/).slice(1), ...(word.includes(':') ? [word.split(':')[0] ?? ''] : [])];
    return parts.flatMap((part) => (part === '' ? [] : (resolveTargetPath(part, place) ?? [])));
  });

export const ask = (key: string, reason: string, matches: CommandRule['matches']): CommandRule => ({ type: 'ask', key, reason, matches });
export const refuse = (key: string, reason: string, matches: CommandRule['matches']): CommandRule => ({
  type: 'refuse',
  key,
  reason,
  matches,
});

/** Whether a call says one of these: patterns over its name and its words, joined by blanks. Whoever asks for help only asks. */
export function says(...patterns: readonly string[]): (call: Pick<Call, 'name' | 'args'>) => boolean {
  const pattern = new RegExp(`^(?:${patterns.join('|')})(?:[\\s:]|$)`);
  return ({ name, args }) => pattern.test(`${name} ${args.join(' ')}`) && !args.includes('--help') && args.join(' ') !== '--version';
}

export const hasHelp = (args: readonly string[]): boolean => args.some((word) => /^(?:--help|--version|-V|--dry-run)$/.test(word));
