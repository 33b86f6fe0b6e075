/** The name a command goes by, whatever folder it is called from. */
export const nameOf = (word: string): string => word.split('/').at(-1) ?? '';

const isFlag = (word: string): boolean => word.startsWith('-') && word !== '-';

/** Short flags may stand together in one word (`-rf`), long ones stand alone. */
export const hasFlag = (args: readonly string[], letters: string, ...long: readonly string[]): boolean =>
  args.some((word) => (/^-[^-]/.test(word) && letters.split('').some((letter) => word.includes(letter))) || long.includes(word));

/** What is left besides the flags; after `--` everything is. */
export function operands(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  if (end < 0) return args.filter((word) => !isFlag(word));
  return [...args.slice(0, end).filter((word) => !isFlag(word)), ...args.slice(end + 1)];
}

/** `/{etc,usr}` as the shell reads it. One pair of braces a word: nobody writes more by accident. */
export function braces(word: string): string[] {
  const [, before = '', choices, after = ''] = /^([^{}]*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(word) ?? [];
  return choices === undefined ? [word] : choices.split(',').map((choice) => before + choice + after);
}
