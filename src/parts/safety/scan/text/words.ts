import { foldLookAlikes, isDisguised, hasMixedScripts } from '../characters/fold.ts';
import { readSpaced, type Vocabulary } from './spaced.ts';

/** A word, or one sign of a script that writes without blanks. */
export interface TextToken {
  readonly word: string;
  /** The offset in the plain text. */
  readonly at: number;
  readonly end: number;
  /** How far into the text, in words. A sentence's end counts as several words, so that windows seldom reach across. */
  readonly pos: number;
  /** A sign of a script without blanks: terms are looked for from each sign on. */
  readonly glyph: boolean;
}

export interface TextWords {
  readonly tokens: readonly TextToken[];
  /** Latin words with letters of another alphabet that only look right. */
  readonly disguises: readonly TextToken[];
}

const LETTER = /[\p{L}\p{N}]/u;
/** Scripts that are read sign by sign: no blanks, or endings and articles that stick to the word. */
const GLYPH =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Arabic}\p{Script=Hebrew}ー]/u;
/** A sign of these is about half a word; of the alphabets among the glyphs, a fifth. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u;
const PAUSE: Readonly<Record<string, number>> = { '.': 5, '!': 5, '?': 5, ';': 2, ',': 1, ':': 0.5 };
const LONGEST_WORD = 64;

/** Cuts the plain text into words, once, from left to right. */
export function tokenizeText(text: string, vocabulary: Vocabulary): TextWords {
  const tokens: TextToken[] = [];
  const disguises: TextToken[] = [];
  let pos = 0;
  for (let at = 0; at < text.length;) {
    const kind = kindAt(text, at);
    if (kind === 'other') {
      pos += gap(text, at);
      at++;
      continue;
    }
    if (kind === 'glyph') {
      tokens.push({ word: text[at] ?? '', at, end: at + 1, pos, glyph: true });
      pos += DENSE.test(text[at] ?? '') ? 0.5 : 0.2;
      at++;
      continue;
    }
    const address = addressEnd(text, at);
    if (address !== undefined) {
      tokens.push({ word: '://', at, end: address, pos: pos++, glyph: false });
      at = address;
      continue;
    }
    const spaced = readSpaced(text, at, vocabulary);
    if (spaced !== undefined) {
      for (const word of spaced.words) tokens.push({ word, at, end: spaced.end, pos: pos++, glyph: false });
      at = spaced.end;
      continue;
    }
    const { raw, end } = readWord(text, at, vocabulary);
    const token: TextToken = { word: wordMeant(raw, vocabulary), at, end, pos: pos++, glyph: false };
    tokens.push(token);
    if (raw.length > 3 && isDisguised(raw)) disguises.push(token);
    at = end;
  }
  return { tokens, disguises };
}

/** An address is one word that says nothing: `https://example.com/ignore` orders nobody about. */
function addressEnd(text: string, at: number): number | undefined {
  if (text.charCodeAt(at) !== LETTER_H || !ADDRESS.test(text.slice(at, at + 8))) return undefined;
  let end = at + 7;
  while (end < text.length && end - at < LONGEST_ADDRESS && text.charCodeAt(end) > 32 && !ADDRESS_ENDS.has(text[end] ?? '')) end++;
  return end;
}
const LETTER_H = 104;
const ADDRESS = /^https?:\/\//;
const ADDRESS_ENDS = new Set([')', '"', "'", '`', '>', ']', ',']);
const LONGEST_ADDRESS = 2000;

function kindAt(text: string, at: number): 'letter' | 'glyph' | 'other' {
  const code = text.charCodeAt(at);
  if (code < 128) return isPlain(code) ? 'letter' : 'other';
  // Arrows, dashes and boxes: everything in here that is a letter was folded away. Spares most texts the wide classes below.
  if (code >= 0x2000 && code < 0x2c00) return 'other';
  const character = text[at] ?? '';
  if (code > 0x590 && GLYPH.test(character)) return 'glyph';
  return LETTER.test(character) || (code >= 0xd800 && code < 0xe000) ? 'letter' : 'other';
}
const isPlain = (code: number) => (code >= 97 && code <= 122) || (code >= 48 && code <= 57);

/** Signs that end a sentence, a list item or a paragraph put distance between words. */
function gap(text: string, at: number): number {
  const character = text[at] ?? '';
  if (character !== '\n') {
    const next = text[at + 1];
    return next === undefined || next === ' ' || next === '\n' || text.charCodeAt(at + 1) > 127 ? (PAUSE[character] ?? 0) : 0;
  }
  let next = at + 1;
  while (text[next] === ' ' && next < at + 40) next++;
  const head = text[next] ?? '';
  return head === '\n' ? 7 : BULLETS.has(head) ? 5 : 0;
}
const BULLETS = new Set(['-', '*', '#', '|', '>', '+', '•']);

/** Reads through what does not part a word for a reader: emphasis, backslashes, empty quotes, a hyphen at the line's end. */
function readWord(text: string, from: number, vocabulary: Vocabulary): { readonly raw: string; readonly end: number } {
  let raw = '';
  let at = from;
  while (at < text.length && raw.length < LONGEST_WORD) {
    if (kindAt(text, at) === 'letter') {
      raw += text[at++];
      continue;
    }
    const next = beyond(text, at, raw, vocabulary);
    if (next === undefined) break;
    at = next;
  }
  while (at < text.length && raw.length >= LONGEST_WORD && kindAt(text, at) === 'letter') at++;
  return { raw, end: at };
}

const THROUGH = new Set(['*', '`', '~', '\\', '"', "'", '_']);
const SHORT_TAG = /<\/?(?:b|i|u|s|em|strong|span|font|wbr|a|mark|small|sub|sup|kbd|code)>|<!---->|<!-- ?-->|-\n|-\r\n/y;
const AS_LETTERS = /[@$!|](?=[a-z0-9@$!|]*)/y;

function beyond(text: string, at: number, raw: string, vocabulary: Vocabulary): number | undefined {
  const sign = text[at] ?? '';
  if (sign === "'" && raw.length <= 2) return undefined;
  if (THROUGH.has(sign)) return throughSigns(text, at);
  if (sign === '<' || sign === '-') {
    SHORT_TAG.lastIndex = at;
    const length = SHORT_TAG.exec(text)?.[0].length;
    return length !== undefined && kindAt(text, at + length) === 'letter' ? at + length : undefined;
  }
  AS_LETTERS.lastIndex = at;
  return AS_LETTERS.test(text) && leetEnd(text, at, raw, vocabulary) ? at + 1 : undefined;
}

/** `ig**nore**`, `c\at`, `c''at`; but `snake_case` and `"a" "b"` stay apart. */
function throughSigns(text: string, at: number): number | undefined {
  const sign = text[at] ?? '';
  let next = at;
  while (next < at + 4 && text[next] === sign) next++;
  const paired = sign === '"' || sign === "'" || sign === '_' ? next - at === (sign === "'" ? next - at : 2) : true;
  return paired && kindAt(text, next) === 'letter' ? next : undefined;
}

function leetEnd(text: string, at: number, raw: string, vocabulary: Vocabulary): boolean {
  const rest = /^[a-z0-9@$!|]{1,20}/.exec(text.slice(at, at + 20))?.[0] ?? '';
  return leet(raw + rest).some(vocabulary.has);
}

const DIGITS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
};
const leet = (word: string): readonly string[] => {
  const read = (one: string) => Array.from(word, (character) => (character === '1' ? one : (DIGITS[character] ?? character))).join('');
  return [read('i'), read('l')];
};

const PLAIN_WORD = /^[a-z]+$/;

/** What a reader takes the word for: by its looks, and with figures read as letters when that gives a word we look for. */
function wordMeant(raw: string, vocabulary: Vocabulary): string {
  if (PLAIN_WORD.test(raw)) return raw;
  const word = hasMixedScripts(raw) ? foldLookAlikes(raw) : raw;
  const letters = word.replaceAll(/[@$!|]/g, (sign) => DIGITS[sign] ?? sign);
  if (!/\d/.test(letters) || !/[a-z]/.test(letters)) return letters;
  return leet(word).find(vocabulary.has) ?? letters;
}
