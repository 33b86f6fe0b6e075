/** A stretch of a text, in UTF-16 units, end excluded. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A file's text with its lines, counted once and only when a strategy asks. */
export interface SourceLines {
  readonly text: string;
  readonly lines: readonly string[];
  /** Where each line begins. */
  readonly starts: readonly number[];
}

export function toSourceLines(text: string): SourceLines {
  let lines: readonly string[] | undefined;
  let starts: readonly number[] | undefined;
  const split = () => (lines ??= text.split('\n'));
  return {
    text,
    get lines() {
      return split();
    },
    get starts() {
      let next = 0;
      return (starts ??= split().map((line) => {
        const start = next;
        next += line.length + 1;
        return start;
      }));
    },
  };
}

/** The stretch of `count` lines from line `first` on; with the line end after it when `withEnd` and there is one. */
export function toLineSpan({ text, lines, starts }: SourceLines, first: number, count: number, withEnd: boolean): TextSpan {
  const last = first + count - 1;
  const end = (starts[last] ?? 0) + (lines[last]?.length ?? 0);
  if (withEnd && end < text.length) return { start: starts[first] ?? 0, end: end + 1 };
  return { start: starts[first] ?? 0, end: lines[last]?.endsWith('\r') === true ? end - 1 : end };
}

/** Line number (from 1) of a position. */
export function toLineNumber(text: string, position: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end >= 0 && end < position; end = text.indexOf('\n', end + 1)) line++;
  return line;
}

/** All places of a string in a text, without overlaps. */
export function findOccurrences(text: string, wanted: string): TextSpan[] {
  const spans: TextSpan[] = [];
  if (wanted === '') return spans;
  for (let start = text.indexOf(wanted); start >= 0; start = text.indexOf(wanted, start + wanted.length))
    spans.push({ start, end: start + wanted.length });
  return spans;
}

/** Where a list stands in a longer one, without overlaps (Knuth-Morris-Pratt: linear even in files of equal lines). */
export function findSequences(all: readonly string[], wanted: readonly string[]): number[] {
  const fallback = [0];
  for (let index = 1, length = 0; index < wanted.length;) {
    if (wanted[index] === wanted[length]) fallback[index++] = ++length;
    else if (length > 0) length = fallback[length - 1] ?? 0;
    else fallback[index++] = 0;
  }
  const found: number[] = [];
  let matched = 0;
  for (const [index, item] of all.entries()) {
    while (matched > 0 && item !== wanted[matched]) matched = fallback[matched - 1] ?? 0;
    if (item === wanted[matched]) matched++;
    if (matched < wanted.length) continue;
    found.push(index - wanted.length + 1);
    matched = 0;
  }
  return found;
}
