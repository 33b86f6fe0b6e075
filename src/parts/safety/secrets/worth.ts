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

/** `gpt4`, `Llama`, `fileName`, `72b`, `q4`, `8x7B`: of such pieces the names of models, machines and versions are made. */
const PIECE =
  /^(?:(?:[a-z]{1,20}|[A-Z]{1,20}|[A-Z][a-z]{1,20})\d{0,4}[a-z]?|[a-z]{0,20}(?:[A-Z][a-z]{2,20}){1,5}|\d+|\d{1,4}[A-Za-z]{1,3}\d{0,3}[A-Za-z]?|[A-Za-z]\d{1,3}[A-Za-z]?)$/;
const LOOSE_BORDERS = /[-_./:@,+= [\]{}()"'<>;|?*&%#~\\]+/;
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/** What stands where secrets do and is none by its looks. Each row is one kind of setting. */
const ORDINARY: readonly ((value: string) => boolean)[] = [
  isPlain,
  // The name of a thing: some piece of it is a word.
  (value) => /(?<![A-Za-z])[A-Za-z]{3,}/.test(value) && value.split(LOOSE_BORDERS).every((piece) => piece === '' || PIECE.test(piece)),
  (value) => /^[A-Za-z]:[\\/]/.test(value),
  (value) => /^[^\s@:/]+@[\w-]+(?:\.[\w-]+)+$/.test(value),
  // Addresses of machines, and moments.
  (value) => /^(?:[0-9a-f]{0,4}:){2,7}[0-9a-f.]{0,15}(?:\/\d{1,3})?$/i.test(value),
  (value) => /^[\d\s*/,.:+-]+$/.test(value),
  (value) => /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)?$/.test(value),
];
const isOrdinary = (value: string): boolean => ORDINARY.some((row) => row(value));

/** One variable or field with what may be worth hiding in it. */
export interface SecretCandidate {
  readonly name: string;
  readonly value: string;
  /** Its name says that it is a secret. */
  readonly named: boolean;
  /** It stands where secrets are kept: then it is one unless it reads like an ordinary setting. */
  readonly kept: boolean;
}
export interface WeighedCandidate {
  readonly secrets: readonly string[];
  /** Why a value that stands where secrets do, or is named as one, is not treated as one. */
  readonly passedOver?: 'too short' | 'plain words';
}

/** The secrets in a value: the value, the keys of a list, the lines of a block, the password in an address. */
export function extractSecrets({ value: raw, named, kept }: SecretCandidate): WeighedCandidate {
  const value = raw.trim();
  const passwords = passwordsIn(value);
  if (value === '' || passwords.length > 0 || !(named || kept)) return { secrets: passwords };
  if (value.length < SHORTEST) return { secrets: [], passedOver: 'too short' };
  const isHarmless = named ? isPlain : isOrdinary;
  const inside = parts(value, isHarmless);
  // An address that nobody calls a secret is one only where it carries a key.
  if (!isHarmless(value) && (named || !ADDRESS.test(value))) return { secrets: [...new Set([...inside, value])] };
  return inside.length > 0 ? { secrets: inside } : { secrets: [], passedOver: 'plain words' };
}

/** Several keys parted by commas, the lines of a private key and the keys in an address are printed one by one as well. */
function parts(value: string, isHarmless: (piece: string) => boolean): string[] {
  if (ADDRESS.test(value)) return value.split(/[/?&=@:#]+/).filter(looksRandom);
  const pieces = value.includes('\n') ? value.split('\n') : value.split(',');
  return pieces.map((piece) => piece.trim()).filter((piece) => piece.length >= 16 && !isHarmless(piece) && !piece.startsWith('-----'));
}

/** As it is written in the address or among the settings of a connection, and as it is meant. */
function passwordsIn(value: string): string[] {
  const inAddress = /^[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:([^\s/@]+)@/i.exec(value)?.[1];
  const assigned = [...value.matchAll(/(?<![A-Za-z])(?:password|passwd|pwd|pass)=([^\s;&"']+)/gi)].flatMap(([, found]) => found ?? []);
  const written = [...(inAddress === undefined ? [] : [inAddress]), ...assigned];
  return [...new Set(written.flatMap((each) => [each, decoded(each)]))].filter(
    (password) => password.length >= SHORTEST && !isPlain(password),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
