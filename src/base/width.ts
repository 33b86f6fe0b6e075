import { lazy } from './lazy.ts';

/** Made when first needed: setting it up takes longer than everything else on the way to a first request. */
const graphemes = lazy(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));
/** Letters and lines of one column each that join with nothing: most of what is drawn, and counted without looking for graphemes. */
const PLAIN = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2500-\u257f\u276f]*$/;
/** Signs that sit on the one before, or are nothing to see: marks, joiners, the later letters of a Hangul syllable. */
const EMPTY = /(?![\u00ad\u115f\u3164\uffa0])[\p{Mn}\p{Me}\p{Cc}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\ud7b0-\ud7ff]/u;
/** East Asian wide and fullwidth, by EastAsianWidth of Unicode 17; emoji follow their own property. */
const WIDE =
  /[\u1100-\u115f\u2329-\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;
/** One picture, however many signs it is made of. */
const PICTURE = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u;
const PICTURE_BASE = /^\p{Emoji}/u;
/** A skin tone behind something that has no skin is a picture of its own, though it counts as one character with it. */
const STRAY_TONES = /(?<=[^](?<!\p{Emoji_Modifier_Base}\ufe0f?))\p{Emoji_Modifier}/gu;

/** Columns a text takes on a terminal: two for CJK and emoji, none for marks that sit on the character before. */
export function measureWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let sum = 0;
  for (const { segment } of graphemes().segment(text)) sum += widthOf(segment);
  return sum;
}

function widthOf(grapheme: string): number {
  if (PICTURE.test(grapheme) && PICTURE_BASE.test(grapheme)) return 2 + 2 * (grapheme.match(STRAY_TONES)?.length ?? 0);
  let sum = 0;
  for (const sign of grapheme) sum += EMPTY.test(sign) ? 0 : WIDE.test(sign) || PICTURE.test(sign) ? 2 : 1;
  return sum;
}

/** The characters of a text as a person counts them. */
export const splitGraphemes = (text: string): string[] =>
  PLAIN.test(text) ? Array.from(text) : Array.from(graphemes().segment(text), ({ segment }) => segment);

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
