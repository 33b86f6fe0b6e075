import { diff } from './diff.ts';
import { fold, findUnfolded, type FoldedText } from './fold.ts';
import type { Edit, MatchStrategy } from './strategy.ts';

/** Characters models write plainly, by the plain one. */
const PLAIN: readonly { readonly plain: string; readonly kinds: string }[] = [
  { plain: "'", kinds: '\u2018\u2019\u201a\u201b\u2032' },
  { plain: '"', kinds: '\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb' },
  { plain: '-', kinds: '\u2010\u2011\u2012\u2013\u2014\u2015\u2212' },
  { plain: '...', kinds: '\u2026' },
  { plain: ' ', kinds: '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000' },
];
const TO_PLAIN = new Map(PLAIN.flatMap(({ plain, kinds }) => Array.from(kinds, (kind) => [kind, plain] as const)));
const FANCY = new RegExp(`[${PLAIN.map(({ kinds }) => kinds).join('')}]`, 'gu');

const plain = (text: string): FoldedText => fold(text, FANCY, (found) => TO_PLAIN.get(found) ?? found);

/** Curly quotes, long dashes, ellipses and the many spaces count as their plain forms. */
export const unicodeNormalised: MatchStrategy = {
  name: 'unicode-normalised',
  find: ({ text }, old) => findUnfolded(plain(text), plain(old).text),
  graft: (edit, region) => graftCharacters(edit, region),
};

/** Whatever the edit leaves alone keeps the file's own characters, word by word. */
function graftCharacters(edit: Edit, region: string): string {
  const [found, wanted] = [plain(region), plain(edit.new)];
  const [olds, news] = [tokens(found.text), tokens(wanted.text)];
  const parts = diff(
    olds.map(({ text }) => text),
    news.map(({ text }) => text),
  ).map((op) => {
    if (op.kind === 'drop') return '';
    return op.kind === 'same' ? original(region, found, olds[op.old]) : original(edit.new, wanted, news[op.new]);
  });
  return parts.join('');
}

interface UnicodeToken {
  readonly text: string;
  readonly start: number;
}
const tokens = (text: string): UnicodeToken[] =>
  [...text.matchAll(/\w+|\s+|[^\w\s]/gu)].map((match) => ({ text: match[0], start: match.index }));
/** A character that folds into several (an ellipsis) comes back once, with the last of its tokens. */
const original = (text: string, { at }: FoldedText, token: UnicodeToken | undefined): string =>
  token === undefined ? '' : text.slice(at[token.start], at[token.start + token.text.length]);
