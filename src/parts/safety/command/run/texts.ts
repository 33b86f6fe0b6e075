import { decodeAnsiCEscapes } from '../../../../base/shell/ansi.ts';
import { isUnknown, LONGEST_VALUE, MARK } from '../values/marks.ts';

const PLACEHOLDER = /%(?:%|[-+ #]*(0?\d*)(?:\.\d+)?([a-zA-Z]))/g;
/** Numbers in the form they are asked for; what is no number stays as it is. */
const NUMBERS: Readonly<Record<string, number>> = { o: 8, x: 16, X: 16 };
const numbered = (word: string, base: number, width: string): string =>
  /^\d+$/.test(word)
    ? Number(word)
        .toString(base)
        .padStart(Math.min(Number(width), 20), '0')
    : word;

/** `printf` with its words filled in, again and again while there are words left. */
export function formatPrintf([format = '', ...words]: readonly string[]): string {
  let [text, at] = ['', 0];
  const fill = (): string =>
    decodeAnsiCEscapes(format).replaceAll(PLACEHOLDER, (_whole, width: unknown, kind: unknown) => {
      if (typeof kind !== 'string') return '%';
      const word = words[at++] ?? '';
      const base = NUMBERS[kind];
      if (base !== undefined) return numbered(word, base, typeof width === 'string' ? width : '');
      return kind === 'b' ? decodeAnsiCEscapes(word) : kind === 'c' ? word.slice(0, 1) : word;
    });
  do {
    const before = at;
    text += fill();
    if (at === before) break;
  } while (at < words.length && text.length < LONGEST_VALUE);
  return text;
}

export const decodeBytes = (text: string, from: 'base64' | 'hex'): string =>
  isUnknown(text) ? MARK.unknown : Buffer.from(text.replaceAll(/\s/g, ''), from).toString('utf8');

/** `tr` with two sets of letters, as far as they are written out or are ranges. */
export function translateText(text: string, args: readonly string[]): string {
  const [from = '', to = ''] = args.filter((word) => !/^-./.test(word)).map(spread);
  if (args.some((word) => /^-\w*d/.test(word)))
    return Array.from(text)
      .filter((char) => !from.includes(char))
      .join('');
  if (from === '' || to === '' || args.some((word) => /^-./.test(word))) return MARK.unknown;
  return Array.from(text)
    .map((char) => (from.includes(char) ? (to[Math.min(from.indexOf(char), to.length - 1)] ?? char) : char))
    .join('');
}
const spread = (set: string): string =>
  decodeAnsiCEscapes(set).replaceAll(/([\s\S])-([\s\S])/g, (_whole, first: string, last: string) =>
    String.fromCharCode(
      ...Array.from(
        { length: Math.max(0, Math.min(last.charCodeAt(0) - first.charCodeAt(0) + 1, 256)) },
        (_, index) => first.charCodeAt(0) + index,
      ),
    ),
  );
