import { WINDOW } from './scanner.ts';

/** Fewer characters stand in many texts by accident. */
const SHORTEST = WINDOW;

/** A word, or digits. Longer runs of letters are no word. */
const WORD = /^(?:[a-z]{1,20}|[A-Z]{1,20}|[A-Z][a-z]{1,20}|\d+)$/;
/** `v2`, `gpt4`, `x86`: what names of things look like. */
const NAME = /^[A-Za-z]{1,20}\d{1,8}[a-z]?$/;
const BORDERS = /[-_./:@,+= ]+/;

/** Words, numbers, booleans, paths and the like: to hide them would make nonsense of every text they stand in. */
export const isPlain = (value: string): boolean =>
  value.split(BORDERS).every((piece) => piece === '' || WORD.test(piece)) || isPath(value) || /^(.)\1*$/.test(value);

/** Below a folder, and no part of it as mixed as a key. */
const isPath = (value: string): boolean =>
  /^(?:~|\.{1,2})?\/[^\s]*$/.test(value) && value.split('/').every((part) => part.length < 20 || !isMixed(part));

const isMixed = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);

/** What only reads like a key, wherever it stands: long, of one piece, neither a name nor an address. */
const looksRandom = (value: string): boolean =>
  value.length >= 16 &&
  !/[\s@]|:\/\//.test(value) &&
  /\d/.test(value) &&
  /[A-Za-z]/.test(value) &&
  !isPath(value) &&
  value.split(BORDERS).some((piece) => piece.length >= 8 && !WORD.test(piece) && !NAME.test(piece));

/** One variable or field with what may be worth hiding in it. */
export interface Candidate {
  readonly name: string;
  readonly value: string;
  /** Its name says that it is a secret. */
  readonly named: boolean;
  /** It stands where only secrets should: then its looks suffice. */
  readonly kept: boolean;
}
export interface Weighed {
  readonly secrets: readonly string[];
  /** Why a value that is named as a secret is not treated as one. */
  readonly passedOver?: 'too short' | 'plain words';
}

/** The secrets in a value: the value, the keys of a list, the lines of a block, the password in an address. */
export function weigh({ value: raw, named, kept }: Candidate): Weighed {
  const value = raw.trim();
  const passwords = passwordsIn(value);
  if (!named) return { secrets: [...passwords, ...(kept && looksRandom(value) ? [value] : [])] };
  if (value === '' || passwords.length > 0) return { secrets: passwords };
  if (value.length < SHORTEST) return { secrets: [], passedOver: 'too short' };
  if (isPlain(value)) return { secrets: [], passedOver: 'plain words' };
  return { secrets: [...new Set([...parts(value), value])] };
}

/** Several keys parted by commas, and the lines of a private key, are printed one by one as well. */
function parts(value: string): string[] {
  const pieces = value.includes('\n') ? value.split('\n') : value.split(',');
  return pieces.map((piece) => piece.trim()).filter((piece) => piece.length >= 16 && !isPlain(piece) && !piece.startsWith('-----'));
}

/** As it is written in the address, and as it is meant. */
function passwordsIn(value: string): string[] {
  const written = /^[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:([^\s/@]+)@/i.exec(value)?.[1];
  if (written === undefined) return [];
  return [...new Set([written, decoded(written)])].filter((password) => password.length >= SHORTEST && !isPlain(password));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
