/** Replaces halves of surrogate pairs that stand alone: they cannot be encoded and break a request. */
export const replaceLoneSurrogates = (text: string): string => text.toWellFormed();

/** Keeps head and tail of a long text and says between them how much is left out. */
export function clip(text: string, limit: number, mark: (omitted: number) => string): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const head = takeStart(text, half);
  const tail = takeEnd(text, limit - half);
  return `${head}${mark(text.length - head.length - tail.length)}${tail}`;
}

/** The first `length` units without cutting a character in two. */
export function takeStart(text: string, length: number): string {
  const cut = text.slice(0, length);
  const last = cut.charCodeAt(cut.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut;
}
export function takeEnd(text: string, length: number): string {
  const cut = length <= 0 ? '' : text.slice(-length);
  const first = cut.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? cut.slice(1) : cut;
}

/** A sentence of its own becomes part of one; names stay as they are. */
export const toSentencePart = (words: string): string =>
  words.replace(/^[A-Z](?=[a-z ])/, (first) => first.toLowerCase()).replace(/\.$/, '');

/** Edit distance, for "did you mean". */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Of three letters two others make another word. */
const mostOff = (length: number): number => (length <= 3 ? 1 : Math.max(2, Math.floor(length * 0.3)));

/** The nearest of the candidates, when it is near enough to be what was meant. */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  const most = mostOff(word.length);
  const [best] = candidates
    // Every letter too many or too few is a change.
    .filter((candidate) => Math.abs(candidate.length - word.length) <= most)
    .map((candidate) => ({ candidate, off: editDistance(word, candidate) }))
    .toSorted((a, b) => a.off - b.off);
  return best !== undefined && best.off <= most ? best.candidate : undefined;
}

/** The words of a text, which is shorter than a list of them. */
export const splitWords = (text: string): readonly string[] => text.trim().split(/\s+/);
