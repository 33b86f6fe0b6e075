import { fold } from '../characters/fold.ts';
import { findInvisibleKind } from '../characters/invisible.ts';
import { readEscape } from './escapes.ts';

/** A text as it is compared, with the way back to the original. */
export interface PlainText {
  readonly text: string;
  /** The offset in the original of each character of `text`. */
  readonly origin: Int32Array;
}

/** Folds case, accents and widths, leaves out what cannot be seen and reads entities and escapes. One pass. */
export function toPlainText(original: string): PlainText {
  const out: string[] = [];
  let origin = new Int32Array(original.length + 16);
  let length = 0;
  const put = (piece: string, at: number) => {
    if (length + piece.length > origin.length) origin = grown(origin, piece.length);
    for (let index = 0; index < piece.length; index++) origin[length++] = at;
    out.push(piece);
  };
  for (let at = 0; at < original.length;) {
    const run = plainEnd(original, at);
    if (run > at) {
      if (length + run - at > origin.length) origin = grown(origin, run - at);
      for (let index = at; index < run; index++) origin[length++] = index;
      out.push(original.slice(at, run).toLowerCase());
      at = run;
      continue;
    }
    const code = original.codePointAt(at) ?? 0;
    const escape = code === AND || code === BACKSLASH ? readEscape(original, at) : undefined;
    const read = escape?.code ?? code;
    if (read < 128) put(LOWER[read] ?? ' ', at);
    else if (findInvisibleKind(read) === undefined) put(fold(read), at);
    at += escape?.length ?? (code > 0xffff ? 2 : 1);
  }
  return { text: out.join(''), origin: origin.subarray(0, length) };
}

/** The end of a run of ordinary ASCII, which is nearly everything: it is only put into small letters. */
function plainEnd(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 126 || (code < 32 && code !== 10) || code === AND || code === BACKSLASH) break;
  }
  return at;
}

const AND = 38;
const BACKSLASH = 92;
const LOWER: readonly string[] = Array.from({ length: 128 }, (_, code) =>
  code === 10 ? '\n' : code < 32 || code === 127 ? ' ' : String.fromCharCode(code).toLowerCase(),
);

function grown(array: Int32Array, more: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2 + more);
  larger.set(array);
  return larger;
}
