/** Characters of ours in texts that are only known in part. They are taken out of every line before it is read. */
export const MARK = {
  /** Any text, also none. */
  unknown: '\uE000',
  /** A glob that takes any part of a name, and one that takes a single character. */
  star: '\uE001',
  one: '\uE002',
  /** A name that holds no slash and is not empty: a number, a date, what `mktemp` makes up. */
  name: '\uE003',
  /** Stands behind a value that is not known and, by the name of its variable, a secret. */
  secret: '\uE004',
  /** Stands behind a value that an earlier command left and nobody has seen. */
  carried: '\uE005',
  /** Stands behind a piece that is not known because it comes out of a file, a program or the network. */
  outside: '\uE006',
} as const;

const ALL = /[\uE000-\uE006]/g;
const INVISIBLE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/g;

export const withoutMarks = (line: string): string => line.replaceAll(ALL, '?');
export const isUnknown = (text: string): boolean => text.includes(MARK.unknown);
/** What is not known of it comes from elsewhere. */
export const fromOutside = (text: string): string => text.replaceAll(/\uE000(?!\uE006)/g, MARK.unknown + MARK.outside);
export const hasMarks = (text: string): boolean => text.search(ALL) >= 0;

/** The line as it looks to a reader: wide and styled letters as plain ones, nothing invisible. */
export const asSeen = (line: string): string => line.normalize('NFKC').replaceAll(INVISIBLE, '');

/** A list of words, and the lists it may be: both sides of an either/or. */
export type ShellFields = readonly string[];
export type Choices = readonly ShellFields[];

export const UNKNOWN: Choices = [[MARK.unknown]];
export const A_NAME: Choices = [[MARK.name]];
/** More choices than this are not told apart. */
export const MAX_CHOICES = 24;
export const LONGEST_VALUE = 20_000;

/** Each once; too many become unknown, which every rule takes for the worst. */
export function uniteChoices(...all: readonly Choices[]): Choices {
  const seen = new Map<string, ShellFields>();
  for (const each of all.flat()) {
    if (seen.size >= MAX_CHOICES) return [...seen.values(), ...UNKNOWN];
    seen.set(each.join('\0'), each.reduce((sum, text) => sum + text.length, 0) > LONGEST_VALUE ? [MARK.unknown] : each);
  }
  return [...seen.values()];
}
