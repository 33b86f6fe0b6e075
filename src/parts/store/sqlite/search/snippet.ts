import { fold } from './fold.ts';
import { findMatchSpans, type MatchSpan } from './match.ts';
import type { NeedleGroup } from './query.ts';

const OPEN = '\u0002';
const CLOSE = '\u0003';
/** Characters of text shown before the first hit and in all: two lines of a terminal. */
const LEAD = 60;
const LENGTH = 200;

/** The text around the first hit, its hits marked. */
export function makeSnippet(text: string, groups: readonly NeedleGroup[]): string {
  const { folded, origin } = foldWithOrigin(text);
  const spans = findMatchSpans(folded, groups).map(({ from, to }) => ({ from: origin[from] ?? 0, to: origin[to] ?? text.length }));
  const from = boundary(text, Math.max(0, (spans[0]?.from ?? 0) - LEAD));
  const to = boundary(text, Math.min(text.length, Math.max(from + LENGTH, spans[0]?.to ?? 0)));
  const inside = spans.filter((span) => span.from >= from && span.to <= to);
  return `${from > 0 ? '…' : ''}${marked(text, from, to, inside)}${to < text.length ? '…' : ''}`;
}

function marked(text: string, from: number, to: number, spans: readonly MatchSpan[]): string {
  let out = '';
  let at = from;
  for (const span of spans) {
    out += plain(text.slice(at, span.from)) + OPEN + plain(text.slice(span.from, span.to)) + CLOSE;
    at = span.to;
  }
  return out + plain(text.slice(at, to));
}

/** On one line, and without marks of its own. */
const plain = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ');

/** Not in the middle of a pair. */
const boundary = (text: string, index: number): number => {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index;
};

/** The fold, character by character, with the place in the text each piece came from. */
function foldWithOrigin(text: string): { folded: string; origin: number[] } {
  const origin: number[] = [];
  let folded = '';
  let at = 0;
  for (const char of text) {
    const piece = foldChar(char);
    if (piece !== ' ' || !folded.endsWith(' ')) {
      folded += piece;
      for (let unit = 0; unit < piece.length; unit++) origin.push(at);
    }
    at += char.length;
  }
  return { folded, origin };
}

const FOLDED = new Map<string, string>();
const foldChar = (char: string): string => {
  const known = FOLDED.get(char);
  if (known !== undefined) return known;
  const piece = fold(char);
  FOLDED.set(char, piece);
  return piece;
};
