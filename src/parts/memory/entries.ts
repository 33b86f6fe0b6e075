/** A line of its own with this sign alone stands between two entries. */
const SIGN = '§';
const SEPARATOR = `\n${SIGN}\n`;

/** The entries of a file, also of one that was written by hand: spaces around the sign, empty entries and line ends do not matter. */
export function parseEntries(text: string): string[] {
  const entries: string[][] = [[]];
  for (const line of unixLines(text).split('\n')) {
    if (isSign(line)) entries.push([]);
    else entries.at(-1)?.push(line);
  }
  return entries.map((lines) => lines.join('\n').trim()).filter((entry) => entry !== '');
}

export const printEntries = (entries: readonly string[]): string => (entries.length === 0 ? '' : `${entries.join(SEPARATOR)}\n`);

/** Would writing the entries back give the same text? Empty lines at its end are no loss. */
export const canRoundTrip = (text: string): boolean => text.trimEnd() === printEntries(parseEntries(text)).trimEnd();

/** Words as an entry holds them: they survive printing, UTF-8 and parsing unchanged. */
export const cleanEntry = (text: string): string => unixLines(text).toWellFormed().replaceAll('\0', '\u{fffd}').trim();

export const hasSeparator = (text: string): boolean => text.split('\n').some(isSign);

/** Characters as people count them: an emoji of one code point is one. */
export const countCharacters = (text: string): number => Array.from(text).length;
/** What the entries take of their limit, separators counted. */
export const countUsedCharacters = (entries: readonly string[]): number => countCharacters(entries.join(SEPARATOR));
/** Plain ASCII: it stands in every prompt. */
export const formatMemoryUsage = (used: number, limit: number): string => `${used} of ${limit} characters`;

const isSign = (line: string): boolean => line.trim() === SIGN;
const unixLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n');
