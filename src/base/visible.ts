import { lazy } from './lazy.ts';

/** Leaves no mark on a screen, moves its cursor or passes for a space; the last two are the marks below when they stand for themselves. */
const UNSEEN = '(?! )[\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800\\u{1d159}\\u21e5\\u21b5]';
/** Letters that, behind a backslash, could be taken for something spelt out. */
const SPELLING = 'x[\\da-fA-F]{2}|u[\\da-fA-F]{4}|u\\{[\\da-fA-F]{1,6}\\}';
const TAB = '⇥';
const BREAK = '↵';

/** Made when first needed: classes of characters take a while. Runs of backslashes are looked at from their beginning only, so once. */
const hidden = lazy(() => new RegExp(`(?<!\\\\)(?:(\\\\+)(?=${SPELLING})|(\\\\*)(${UNSEEN}))`, 'gu'));

/**
 * A text as somebody must see it who is to consent to it: nothing is taken out, and what cannot be seen is spelt out
 * (`\x1b`, `\u202e`, a tab as `⇥`), so that the text can be told from what is shown. Plain letters `\x1b` show as `\\x1b`.
 * Line breaks stay.
 */
export const showInvisible = (text: string): string =>
  text.replaceAll(hidden(), (_all, plain: string | undefined, before: string | undefined, sign = '') => {
    if (plain !== undefined) return plain + plain;
    if (sign === '\n') return `${before}\n`;
    return sign === '\t' ? `${before}${TAB}` : `${before}${before}${spellCode(sign.codePointAt(0) ?? 0)}`;
  });

/** The same in one line: a line break shows as `↵`. */
export const toVisibleLine = (text: string): string => showInvisible(text).replaceAll('\n', BREAK);

/** Words of several lines, as one sentence after the other. */
export const toVisibleWords = (words: string): string => toVisibleLine(words.trim().replaceAll(/\s*\n\s*/g, ' '));

function spellCode(code: number): string {
  const digits = code.toString(16);
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`;
}

/** What the marks in a shown text mean, as far as it has any. */
export const describeEscapes = (text: string): readonly string[] =>
  KEY.flatMap(({ sign, words }) => (new RegExp(sign, 'u').test(text) ? [words] : []));
const KEY: readonly { readonly sign: string; readonly words: string }[] = [
  { sign: `(?![\\t\\n])${UNSEEN}`, words: 'what cannot be seen is spelt out, such as \\x1b' },
  { sign: `\\\\(?:${SPELLING})`, words: 'the plain letters \\x1b show as \\\\x1b' },
  { sign: '\\t', words: `${TAB} is a tab` },
];

/** JSON with the same meaning in which everything can be seen: a terminal obeys some of what JSON leaves as it is. */
export const toVisibleJson = (json: string): string =>
  json.replaceAll(new RegExp(UNSEEN, 'gu'), (sign) =>
    sign === '\n' || sign === TAB || sign === BREAK
      ? sign
      : Array.from({ length: sign.length }, (_, index) => `\\u${sign.charCodeAt(index).toString(16).padStart(4, '0')}`).join(''),
  );
