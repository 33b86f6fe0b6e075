import type { Json } from '../../contracts/message.ts';

/** Words of Python for what JSON has other words for. */
const WORDS: Readonly<Record<string, Json>> = { True: true, False: false, None: null, true: true, false: false, null: null };
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"', '\n': '' };
const BRACKETS: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };
/** Deeper than any arguments are; deeper text would break the stack. */
const MAX_DEPTH = 100;

interface LiteralText {
  readonly text: string;
  at: number;
}

/** A list, a tuple or a dictionary as Python writes them; `undefined` for everything else, such as code. */
export function readPythonLiteral(text: string): Json | undefined {
  const place: LiteralText = { text: text.trim(), at: 0 };
  if (!Object.hasOwn(BRACKETS, place.text.charAt(0))) return undefined;
  const value = readValue(place, 0);
  return value !== undefined && place.at === place.text.length ? value : undefined;
}

function readValue(place: LiteralText, depth: number): Json | undefined {
  skipSpace(place);
  const letter = place.text.charAt(place.at);
  if (letter === "'" || letter === '"') return readString(place);
  if (letter === '{') return readDictionary(place, depth + 1);
  if (letter === '[' || letter === '(') return readMembers(place, depth + 1, readValue);
  const word = /[\w.+-]*/y;
  word.lastIndex = place.at;
  const found = word.exec(place.text)?.[0] ?? '';
  place.at += found.length;
  if (Object.hasOwn(WORDS, found)) return WORDS[found];
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(found) ? Number(found) : undefined;
}

/** What stands between brackets; a comma may stand behind the last. */
function readMembers<Member>(
  place: LiteralText,
  depth: number,
  read: (place: LiteralText, depth: number) => Member | undefined,
): Member[] | undefined {
  const close = BRACKETS[place.text.charAt(place.at)] ?? '';
  const members: Member[] = [];
  if (depth > MAX_DEPTH) return undefined;
  for (place.at++; ;) {
    if (takeLetter(place, close)) return members;
    const member = read(place, depth);
    if (member === undefined) return undefined;
    members.push(member);
    if (!takeLetter(place, ',') && place.text.charAt(place.at) !== close) return undefined;
  }
}

function readDictionary(place: LiteralText, depth: number): Json | undefined {
  const pairs = readMembers(place, depth, (at, inner): readonly [string, Json] | undefined => {
    const key = readValue(at, inner);
    if (typeof key !== 'string' || !takeLetter(at, ':')) return undefined;
    const value = readValue(at, inner);
    return value === undefined ? undefined : [key, value];
  });
  return pairs && Object.fromEntries(pairs);
}

function readString(place: LiteralText): string | undefined {
  const quote = place.text.charAt(place.at);
  let text = '';
  for (place.at++; place.at < place.text.length; place.at++) {
    const letter = place.text.charAt(place.at);
    if (letter === quote) {
      place.at++;
      return text;
    }
    if (letter === '\n') return undefined;
    if (letter !== '\\') text += letter;
    else {
      const escaped = place.text.charAt(++place.at);
      text += ESCAPES[escaped] ?? `\\${escaped}`;
    }
  }
  return undefined;
}

function takeLetter(place: LiteralText, letter: string): boolean {
  skipSpace(place);
  const isThere = place.text.charAt(place.at) === letter;
  if (isThere) place.at++;
  return isThere;
}

function skipSpace(place: LiteralText): void {
  while (place.at < place.text.length && place.text.charAt(place.at).trim() === '') place.at++;
}
