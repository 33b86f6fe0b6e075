/** How well a query fits a text: less is better; nothing when its letters are not there in this order. Both in small letters. */
export function scoreMatch(query: string, text: string): number | undefined {
  if (query === '') return 0;
  const name = text.lastIndexOf('/') + 1;
  const inName = text.indexOf(query, name);
  if (inName >= 0) return (inName === name ? 0 : 1_000) + text.length;
  const anywhere = text.indexOf(query);
  if (anywhere >= 0) return 2_000 + anywhere + text.length;
  const gaps = countLeastGaps(query, text);
  // Letters that are scattered over a long text fit by chance.
  return gaps > query.length + 4 ? undefined : 4_000 + gaps * 10 + text.length;
}

/** So many places the first letter is looked for at. */
const MAX_STARTS = 8;

/** Letters passed over between the first and the last that fit, where they stand closest. */
function countLeastGaps(query: string, text: string): number {
  let least = Infinity;
  let start = text.indexOf(query.charAt(0));
  for (let tried = 0; start >= 0 && tried < MAX_STARTS && least > 0; tried++) {
    least = Math.min(least, countGaps(query, text, start));
    start = text.indexOf(query.charAt(0), start + 1);
  }
  return least;
}

function countGaps(query: string, text: string, start: number): number {
  let [at, gaps] = [start, 0];
  for (const sign of query.slice(1)) {
    const next = text.indexOf(sign, at + 1);
    if (next < 0) return Infinity;
    gaps += next - at - 1;
    at = next;
  }
  return gaps;
}

/** So many are looked at before keys have their turn. */
const SLICE = 2_000;

/** The best ones, best first. Gives way to keys between slices, and stops when nobody wants it any more. */
export async function rank<Item>(
  query: string,
  items: readonly Item[],
  { textOf, most, signal }: { readonly textOf: (item: Item) => string; readonly most: number; readonly signal: AbortSignal },
): Promise<Item[]> {
  const wanted = query.toLowerCase();
  const found: { readonly item: Item; readonly score: number }[] = [];
  for (let start = 0; start < items.length && !signal.aborted; start += SLICE) {
    if (start > 0) await new Promise((next) => setImmediate(next));
    for (const item of items.slice(start, start + SLICE)) {
      const score = scoreMatch(wanted, textOf(item).toLowerCase());
      if (score !== undefined) found.push({ item, score });
    }
  }
  return found
    .toSorted((one, other) => one.score - other.score)
    .slice(0, most)
    .map(({ item }) => item);
}
