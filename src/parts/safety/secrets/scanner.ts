/**
 * Finds many strings in one pass. A table says by the last three characters of a window how far the window may jump without
 * missing anything, so most characters are never looked at (Wu and Manber's way).
 */
export interface Scanner {
  /**
   * The first place from `from` on where one of the strings stands, or most of its beginning; of several that begin there
   * the one of which most stands there.
   */
  find(text: string, from: number, tally?: ScanCount): SecretHit | undefined;
  /** The first place from `from` on where the end of the text could be the beginning of one of the strings. */
  pending(text: string, from: number): number;
}
export interface SecretHit {
  readonly start: number;
  readonly needle: string;
  /** How much of it stands there: all, or less when something cut it off. */
  readonly length: number;
}
/** Counts windows looked at, for whoever wants to know what a pass costs. */
export interface ScanCount {
  steps: number;
}

/** Every string has at least as many characters: the window is as wide. */
export const WINDOW = 8;
const BLOCK = 3;
const BITS = 0xffff;
const blockAt = (text: string, last: number): number =>
  ((text.charCodeAt(last - 2) << 10) ^ (text.charCodeAt(last - 1) << 5) ^ text.charCodeAt(last)) & BITS;

export function createScanner(strings: Iterable<string>): Scanner {
  const needles = [...new Set(strings)].toSorted((a, b) => b.length - a.length);
  const shifts = new Uint8Array(BITS + 1).fill(WINDOW - BLOCK + 1);
  const byBlock = new Map<number, string[]>();
  for (const needle of needles) {
    for (let last = BLOCK - 1; last < WINDOW; last++) {
      const block = blockAt(needle, last);
      shifts[block] = Math.min(shifts[block] ?? 0, WINDOW - 1 - last);
    }
    listed(byBlock, blockAt(needle, WINDOW - 1)).push(needle);
  }
  return { find: finder(shifts, byBlock), pending: pendingFinder(needles) };
}

const finder =
  (shifts: Uint8Array, byBlock: ReadonlyMap<number, readonly string[]>): Scanner['find'] =>
  (text, from, tally) => {
    for (let last = from + WINDOW - 1; last < text.length;) {
      if (tally !== undefined) tally.steps++;
      const block = blockAt(text, last);
      const shift = shifts[block] ?? 1;
      if (shift > 0) {
        last += shift;
        continue;
      }
      const hit = fullest(byBlock.get(block) ?? [], text, last - WINDOW + 1);
      if (hit !== undefined) return hit;
      last++;
    }
    return undefined;
  };

function fullest(needles: readonly string[], text: string, start: number): SecretHit | undefined {
  let best: SecretHit | undefined;
  for (const needle of needles) {
    if (needle.length <= (best?.length ?? 0)) break;
    const length = commonLength(needle, text, start);
    if (length >= tellingLength(needle) && length > (best?.length ?? 0)) best = { start, needle, length };
  }
  return best;
}

/** Tools cut long lines: a beginning this long is as good as the whole to whoever finds it. Shorter ones many keys share. */
const tellingLength = ({ length }: string): number => Math.min(length, Math.max(12, Math.ceil(length * 0.6)));

function commonLength(needle: string, text: string, start: number): number {
  let length = 0;
  while (length < needle.length && needle.charCodeAt(length) === text.charCodeAt(start + length)) length++;
  return length;
}

function pendingFinder(needles: readonly string[]): Scanner['pending'] {
  const longest = needles[0]?.length ?? 0;
  const byFirst = new Map<string, string[]>();
  for (const needle of needles) listed(byFirst, needle.charAt(0)).push(needle);
  return (text, from) => {
    for (let start = Math.max(from, text.length - longest + 1); start < text.length; start++) {
      const rest = text.length - start;
      const candidates = byFirst.get(text.charAt(start));
      if (candidates?.some((needle) => needle.length > rest && text.endsWith(needle.slice(0, rest))) === true) return start;
    }
    return text.length;
  };
}

function listed<Key>(lists: Map<Key, string[]>, key: Key): string[] {
  const found = lists.get(key) ?? [];
  lists.set(key, found);
  return found;
}
