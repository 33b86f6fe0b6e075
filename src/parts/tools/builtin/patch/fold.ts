import { findOccurrences, type TextSpan } from './source.ts';

/** A text rewritten for comparing, and where each of its units came from. */
export interface FoldedText {
  readonly text: string;
  /** Origin of each unit; one more for the end. */
  readonly at: Int32Array;
}

/** Rewrites every place the pattern finds and remembers the way back. */
export function fold(text: string, pattern: RegExp, rewrite: (found: string) => string): FoldedText {
  const pieces: { readonly text: string; readonly from: number; readonly own: boolean }[] = [];
  let next = 0;
  for (const match of text.matchAll(pattern)) {
    pieces.push({ text: text.slice(next, match.index), from: next, own: true }, { text: rewrite(match[0]), from: match.index, own: false });
    next = match.index + match[0].length;
  }
  pieces.push({ text: text.slice(next), from: next, own: true });
  const folded = pieces.map((piece) => piece.text).join('');
  const at = new Int32Array(folded.length + 1);
  let unit = 0;
  for (const piece of pieces)
    for (let index = 0; index < piece.text.length; index++) at[unit++] = piece.own ? piece.from + index : piece.from;
  at[unit] = text.length;
  return { text: folded, at };
}

/** The places of a folded string, as stretches of the text before folding. */
export const findUnfolded = ({ text, at }: FoldedText, wanted: string): TextSpan[] =>
  findOccurrences(text, wanted).map(({ start, end }) => ({ start: at[start] ?? 0, end: at[end] ?? 0 }));
