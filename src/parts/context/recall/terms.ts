import { stem } from './stems.ts';

/** What a run of characters is found by: itself when it is an identifier, and its words. */
export interface Terms {
  /** The whole of something with dots, slashes, case or digits in it; empty for a plain word. */
  readonly whole: readonly string[];
  readonly words: readonly string[];
}

/** Longer runs are blobs: nobody asks for them by name. */
const LONGEST = 160;
const ASCII_RUN = /[A-Za-z0-9_][\w./:@+\-\\]*/g;
const ANY_RUN = /[\p{L}\p{N}_][\p{L}\p{N}\p{M}_./:@+\-\\]*/gu;
// oxlint-disable-next-line no-control-regex -- the border of ASCII is meant
const NOT_ASCII = /[^\x00-\x7f]/;
/** Scripts that write no spaces, and Hangul whose particles hang on the word. */
const UNSPACED = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+/g;
const LATIN_MARKS = /[\u0300-\u036f]/g;
const TRAILING = /[./:@+\-\\]+$/;
const JOINTS = /[^\p{L}\p{N}]+/u;
const CASES = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\d)(?=[A-Za-z])|(?<=[A-Za-z])(?=\d)/;
const HEX = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{7,64}$/i;
/** How a commit is usually shortened. */
const SHORT_HEX = 7;

/** The runs of a text that may carry terms, accents and full-width forms folded away. */
export function splitRuns(text: string): string[] {
  if (!NOT_ASCII.test(text)) return text.match(ASCII_RUN) ?? [];
  return folded(text).match(ANY_RUN) ?? [];
}

/** Hangul and kana come together again; Latin and Cyrillic letters stay without their marks. */
const folded = (text: string): string => text.normalize('NFKD').replace(LATIN_MARKS, '').normalize('NFC').replaceAll('ß', 'ss');

const PLAIN = /^(?:[A-Z]?[a-z]+|\d{1,20})$/;

export function extractTerms(run: string): Terms {
  if (run.length <= 40 && PLAIN.test(run)) return { whole: [], words: [stem(run.toLowerCase())] };
  const whole = run.replace(TRAILING, '');
  if (whole.length > LONGEST || whole === '') return { whole: [], words: [] };
  const unspaced = whole.match(UNSPACED);
  if (unspaced !== null) return mixedTerms(whole, unspaced);
  return spacedTerms(whole);
}

function mixedTerms(whole: string, unspaced: readonly string[]): Terms {
  const rest = whole
    .replaceAll(UNSPACED, ' ')
    .split(' ')
    .filter((part) => part !== '')
    .map(spacedTerms);
  return {
    whole: rest.flatMap((terms) => terms.whole),
    words: [...new Set([...unspaced.flatMap(pairs), ...rest.flatMap((terms) => terms.words)])],
  };
}

/** 数据库 → 数据, 据库. */
function pairs(run: string): string[] {
  const characters = Array.from(run);
  return characters.length < 2 ? characters : characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function spacedTerms(whole: string): Terms {
  const parts = whole.split(JOINTS).filter((part) => part !== '');
  const pieces = parts.flatMap(piecesOf);
  const names =
    parts.length > 1 || pieces.length > 1 ? [whole, ...nameOf(whole), ...parts.filter((part) => piecesOf(part).length > 1)] : [];
  const short = parts.filter((part) => part.length > SHORT_HEX && HEX.test(part)).map((part) => part.slice(0, SHORT_HEX));
  return {
    whole: [...new Set([...names, ...short].map((name) => name.toLowerCase()))],
    words: [...new Set(pieces.map((piece) => stem(piece.toLowerCase())))],
  };
}

/** The last member of a path. */
function nameOf(whole: string): string[] {
  const slash = whole.lastIndexOf('/');
  return slash < 0 || slash === whole.length - 1 ? [] : [whole.slice(slash + 1)];
}

const piecesOf = (part: string): string[] => (HEX.test(part) ? [part] : part.split(CASES));
