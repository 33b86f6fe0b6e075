import { isAllowed, rightToLeft, type CharacterContext } from './allowances.ts';
import { formatCodePoint, findInvisibleKind, type InvisibleKind } from './invisible.ts';

/** An invisible character that no allowance covers. */
export interface UnseenCharacter {
  readonly kind: InvisibleKind;
  readonly at: number;
  readonly code: number;
}

/** A text that was written in characters nobody sees. */
export interface HiddenText {
  readonly text: string;
  readonly at: number;
}

const FLAG = 0x1f3f4;
const END_OF_TAGS = 0xe007f;

/** Walks the text once. Texts without invisible characters, which is nearly all, cost one regular expression. */
export function findUnseen(text: string): { readonly found: readonly UnseenCharacter[]; readonly smuggled: readonly HiddenText[] } {
  if (!SUSPECT.test(text)) return { found: [], smuggled: [] };
  const found: UnseenCharacter[] = [];
  const lines = lineFacts(text);
  let before = 0;
  let seenBefore = 0;
  let flag = false;
  let seenAfter = { at: -1, code: 0 };
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0;
    const length = code > 0xffff ? 2 : 1;
    const kind = findInvisibleKind(code);
    if (code === FLAG) flag = flagFollows(text, at + 2);
    else if (kind?.name !== 'tag') flag = false;
    if (kind === undefined) {
      if (code > 32) seenBefore = code;
    } else {
      const after = text.codePointAt(at + length) ?? 0;
      if (seenAfter.at <= at) seenAfter = nextSeen(text, at + length);
      const around: CharacterContext = {
        code,
        before,
        after,
        atStart: at === 0,
        seenBefore,
        seenAfter: seenAfter.code,
        flag,
        ...lines(at),
      };
      if (!isAllowed(around)) found.push({ kind, at, code });
    }
    before = code;
    at += length;
  }
  return { found, smuggled: Array.from(text.matchAll(SMUGGLED), decode) };
}

const SUSPECT =
  /\u034f|[\ufe00-\ufe0f]|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e01ef}]/u;

function nextSeen(text: string, from: number): { at: number; code: number } {
  for (let at = from; at < text.length;) {
    const code = text.codePointAt(at) ?? 0;
    if (code > 32 && findInvisibleKind(code) === undefined) return { at, code };
    at += code > 0xffff ? 2 : 1;
  }
  return { at: text.length, code: 0 };
}

/** England, Scotland, Wales: a black flag, at most six small letters or digits, and an end. */
function flagFollows(text: string, from: number): boolean {
  for (let at = from, count = 0; count <= 7; at += 2, count++) {
    const code = text.codePointAt(at) ?? 0;
    if (code === END_OF_TAGS) return count > 1;
    if (!((code >= 0xe0030 && code <= 0xe0039) || (code >= 0xe0061 && code <= 0xe007a))) return false;
  }
  return false;
}

/** Facts of the line an offset lies in; offsets must not go back. */
function lineFacts(text: string): (at: number) => { readonly rightToLeft: boolean; readonly balanced: boolean } {
  let end = -1;
  let facts = { rightToLeft: false, balanced: true };
  return (at) => {
    if (at < end) return facts;
    const start = text.lastIndexOf('\n', at - 1) + 1;
    const newline = text.indexOf('\n', at);
    end = newline < 0 ? text.length : newline + 1;
    facts = factsOf(text.slice(start, end));
    return facts;
  };
}

function factsOf(line: string): { rightToLeft: boolean; balanced: boolean } {
  let open = 0;
  let isolates = 0;
  let broken = false;
  let found = false;
  for (const character of line) {
    const code = character.codePointAt(0) ?? 0;
    if (code > 0x590 && !found) found = rightToLeft(code);
    if (code === 0x202a || code === 0x202b) open++;
    else if (code === 0x202c) broken ||= --open < 0;
    else if (code >= 0x2066 && code <= 0x2068) isolates++;
    else if (code === 0x2069) broken ||= --isolates < 0;
  }
  return { rightToLeft: found, balanced: !broken && open === 0 && isolates === 0 };
}

/** Tag characters spell ASCII, apart from those of a flag; a chain of variation selectors spells bytes. */
const SMUGGLED = /(?<![\u{1f3f4}\u{e0020}-\u{e007e}])[\u{e0020}-\u{e007e}]{4,}|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4,}/gu;

function decode({ index: at, 0: run }: RegExpExecArray): HiddenText {
  const codes = Array.from(run, (character) => character.codePointAt(0) ?? 0);
  const bytes = codes.map((code) => (code < 0xfe10 ? code - 0xfe00 : code < 0xe0080 ? code - 0xe0000 : code - 0xe0100 + 16));
  return { text: Buffer.from(bytes).toString('utf8'), at };
}

/** For excerpts: what cannot be seen is spelt out. */
export const spellOut = (text: string): string =>
  Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return findInvisibleKind(code) === undefined ? character : `[${formatCodePoint(code)}]`;
  }).join('');
