import { foldLookAlikes, isDisguised } from '../characters/fold.ts';
import type { PlainText } from './plain.ts';

/** Tags that part words; all others stand within one. */
const PARTING =
  /^<\/?(?:address|article|blockquote|br|d[dlt]|div|figure|footer|h[1-6r]|header|li|main|nav|[ou]l|p|pre|section|table|t[dhr])\b/;
const TAG = /<\/?[a-z][^<>\n]{0,600}>/g;
/** Letters written one by one: `i g n o r e`, `i.g.n.o.r.e`. */
const SPELLED = /(?<![a-z\d])[a-z]([ ._*|-])[a-z](?:\1[a-z]){1,60}(?![a-z\d])/g;
/** Figures in place of letters: `1gn0r3`. */
const FIGURES = /(?<![a-z\d])(?=\d*[a-z])[a-z]*[\d@$][a-z\d@$]{1,30}/g;
const FIGURE = /[013457@$]/g;
const LETTERS: Readonly<Record<string, string>> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's' };
/** Emphasis within words, hyphens at the end of a line, and breaks: one that only wraps a sentence is a blank. */
const LAYOUT = /[*`\\]+|~~|__|-\n[ \t]*(?=[a-z])|[ \t]*\n\s*(?:(?:[#>|]|[-+•]|\d{1,3}[.)])[ \t]+)*|[ \t]{2,}/g;
const MIXED = /(?<!\p{L})(?=[a-z]{0,63}[^\s\p{ASCII}])\p{L}{2,64}|(?<!\p{L})[^\s\p{ASCII}]\p{L}{1,64}/gu;
/** Shorter words are met in formulas and units. */
const SHORTEST = 3;
const BEYOND_ASCII = /\P{ASCII}/u;

export interface Prose extends PlainText {
  /** Where a Latin word holds letters of another alphabet that only look right; offsets of the original. */
  readonly disguises: readonly number[];
}

/** A text as it is read aloud: no tags or emphasis, one blank between words, a line break only where a sentence ends. */
export function toProse(plain: PlainText): Prose {
  const disguises: number[] = [];
  const untagged = plain.text.includes('<') ? rewrite(plain, TAG, (tag) => (PARTING.test(tag) ? ' ' : '')) : plain;
  const letters = BEYOND_ASCII.test(untagged.text)
    ? rewrite(untagged, MIXED, (word, at) => {
        if (!isDisguised(word)) return word;
        if (word.length > SHORTEST) disguises.push(at);
        return foldLookAlikes(word);
      })
    : untagged;
  const joined = rewrite(letters, SPELLED, (run) => run.replaceAll(/[ ._*|-]/g, ''));
  const words = rewrite(joined, FIGURES, (word) => word.replaceAll(FIGURE, (sign) => LETTERS[sign] ?? sign));
  return { ...rewrite(words, LAYOUT, layout), disguises };
}

function layout(sign: string): string {
  if (!sign.includes('\n')) return sign.startsWith(' ') || sign.startsWith('\t') ? ' ' : '';
  if (sign.startsWith('-')) return '';
  const ends = sign.indexOf('\n') !== sign.lastIndexOf('\n') || /[#|+•\d]|-[ \t]/.test(sign);
  return ends ? '\n' : ' ';
}

/** Replaces matches and keeps the way back to the original: all of a replacement stands where its match began. */
function rewrite({ text, origin }: PlainText, pattern: RegExp, to: (match: string, at: number) => string): PlainText {
  const pieces: string[] = [];
  const from = new Int32Array(text.length);
  let length = 0;
  let done = 0;
  const keep = (end: number) => {
    pieces.push(text.slice(done, end));
    from.set(origin.subarray(done, end), length);
    length += end - done;
  };
  for (const { index, 0: match } of text.matchAll(pattern)) {
    keep(index);
    const put = to(match, origin[index] ?? 0);
    pieces.push(put);
    if (put.length === match.length) from.set(origin.subarray(index, index + match.length), length);
    else from.fill(origin[index] ?? 0, length, length + put.length);
    length += put.length;
    done = index + match.length;
  }
  if (done === 0) return { text, origin };
  keep(text.length);
  return { text: pieces.join(''), origin: from.subarray(0, length) };
}
