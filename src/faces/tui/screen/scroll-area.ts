/**
 * Blocks of lines one below the other, laid out only when they are looked at: a hundred thousand lines open as fast as ten.
 * The face gives the blocks of a transcript, or the lines that were printed.
 */
export interface ViewerSource {
  /** How many blocks there are; it may grow. */
  readonly count: number;
  /** A block for so many columns. The same block gives the same lines until `count` has changed. */
  lines(index: number, columns: number): readonly string[];
  /** The text of a block alone, when that is cheaper than its lines: a search looks here first. */
  text?(index: number): string;
}
/** A line of a block. */
export interface Place {
  readonly block: number;
  readonly line: number;
}
export interface ScrollArea {
  /** The lines in view, as many as there are rows at most. */
  view(): readonly { readonly place: Place; readonly text: string }[];
  resize(columns: number, rows: number): void;
  scroll(rows: number): void;
  toTop(): void;
  /** To the end, and stays there when more comes. */
  toEnd(): void;
  /** Brings a line into view, in the middle if it was not. */
  show(place: Place): void;
  readonly atEnd: boolean;
  /** How far down the last line in view is, from 0 to 1. */
  readonly share: number;
}

/** Blocks whose lines are kept: a few screens. */
const MAX_KEPT = 400;

export function createScrollArea(source: ViewerSource, startColumns: number, startRows: number): ScrollArea {
  let [columns, rows] = [startColumns, startRows];
  let top: Place = { block: 0, line: 0 };
  let following = true;
  const kept = new Map<number, readonly string[]>();

  function linesOf(block: number): readonly string[] {
    const known = kept.get(block);
    if (known !== undefined) return known;
    const lines = source.lines(block, columns);
    if (kept.size >= MAX_KEPT) kept.clear();
    // The last block may still change.
    if (block < source.count - 1) kept.set(block, lines);
    return lines;
  }

  /** So many lines further on, or back; the beginning or the last line when there are not as many. */
  function step({ block, line }: Place, by: number): Place {
    let [at, left] = [block, line + by];
    while (left < 0 && at > 0) left += linesOf((at -= 1)).length;
    for (let size = linesOf(at).length; left >= size && at < source.count - 1; size = linesOf(at).length) {
      left -= size;
      at += 1;
    }
    return { block: at, line: Math.max(0, Math.min(left, Math.max(0, linesOf(at).length - 1))) };
  }
  const lastPlace = (): Place => {
    const block = Math.max(0, source.count - 1);
    return { block, line: source.count === 0 ? 0 : Math.max(0, linesOf(block).length - 1) };
  };
  const lastTop = (): Place => (source.count === 0 ? { block: 0, line: 0 } : step(lastPlace(), 1 - rows));
  const isBefore = (one: Place, other: Place): boolean => one.block < other.block || (one.block === other.block && one.line < other.line);

  function moveTo(place: Place): void {
    const end = lastTop();
    following = !isBefore(place, end);
    top = following ? end : place;
  }

  function view(): { place: Place; text: string }[] {
    if (following) top = lastTop();
    const seen: { place: Place; text: string }[] = [];
    for (let { block, line } = top; block < source.count && seen.length < rows; [block, line] = [block + 1, 0]) {
      for (const [index, text] of linesOf(block).entries()) {
        if (index >= line && seen.length < rows) seen.push({ place: { block, line: index }, text });
      }
    }
    return seen;
  }

  return {
    view,
    resize(nextColumns, nextRows) {
      if (nextColumns === columns) rows = nextRows;
      else {
        // A long block stays about where it is read.
        const share = source.count === 0 ? 0 : top.line / Math.max(1, linesOf(top.block).length);
        kept.clear();
        [columns, rows] = [nextColumns, nextRows];
        top = { ...top, line: source.count === 0 ? 0 : Math.floor(share * linesOf(top.block).length) };
      }
    },
    scroll(by) {
      if (by > 0 && following) return;
      if (following) top = lastTop();
      moveTo(step(top, by));
    },
    toTop: () => moveTo({ block: 0, line: 0 }),
    toEnd: () => void (following = true),
    show(place) {
      if (!view().some((seen) => seen.place.block === place.block && seen.place.line === place.line))
        moveTo(step(place, -Math.floor(rows / 2)));
    },
    get atEnd() {
      return following;
    },
    get share() {
      const last = view().at(-1)?.place;
      return last === undefined || following ? 1 : (last.block + 1) / source.count;
    },
  };
}
