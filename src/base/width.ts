import { lazy } from './lazy.ts';

/** Made when first needed: setting it up takes longer than everything else on the way to a first request. */
const graphemes = lazy(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));
const ASCII = /^[\x20-\x7e]*$/;
const EMPTY = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;
/** East Asian wide and fullwidth blocks; emoji follow their own property. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

/** Columns a text takes on a terminal: two for CJK and emoji, none for marks that sit on the character before. */
export function measureWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let sum = 0;
  for (const { segment } of graphemes().segment(text)) sum += widthOf(segment);
  return sum;
}

function widthOf(grapheme: string): number {
  if (EMPTY.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** The text within so many columns; what does not fit gives way to an ellipsis. */
export function fitWidth(text: string, columns: number): string {
  if (measureWidth(text) <= columns) return text;
  let out = '';
  let room = columns - 1;
  for (const { segment } of graphemes().segment(text)) {
    room -= widthOf(segment);
    if (room < 0) break;
    out += segment;
  }
  return columns < 1 ? '' : `${out}…`;
}

/** The text in pieces of at most so many columns, broken wherever one is full; nothing is left out. */
export function splitByWidth(text: string, columns: number): string[] {
  if (measureWidth(text) <= columns) return [text];
  const slices = [''];
  let room = columns;
  for (const { segment } of graphemes().segment(text)) {
    const width = widthOf(segment);
    if (width > room) {
      slices.push('');
      room = columns;
    }
    slices.push((slices.pop() ?? '') + segment);
    room -= width;
  }
  return slices;
}

export const padEndTo = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - measureWidth(text)));
export const padStartTo = (text: string, columns: number): string => ' '.repeat(Math.max(0, columns - measureWidth(text))) + text;
