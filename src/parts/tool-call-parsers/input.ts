/**
 * The text of a reply as far as it has come, and where its reader stands. A reader waits for more with `yield` and goes on where it was,
 * so that a text is read once, however many pieces it comes in.
 */
export interface Input {
  text: string;
  at: number;
  /** Nothing follows. */
  isOver: boolean;
}
/** `undefined` asks for more; it is not asked for once the text is over. */
export type Reading<T> = Generator<undefined, T, void>;

/** Whether there is a letter to read. Waits until that is certain. */
export function* hasMore(input: Input): Reading<boolean> {
  while (input.at >= input.text.length) {
    if (input.isOver) return false;
    yield undefined;
  }
  return true;
}

export function* skipSpace(input: Input): Reading<void> {
  while (yield* hasMore(input)) {
    if (input.text.charAt(input.at).trim() !== '') return;
    input.at++;
  }
}

/** Goes on while the letters fit. */
export function* takeWhile(input: Input, fits: (letter: string) => boolean): Reading<string> {
  const from = input.at;
  while ((yield* hasMore(input)) && fits(input.text.charAt(input.at))) input.at++;
  return input.text.slice(from, input.at);
}

/** The marker that stands here, without going past it: the longest, where several do. */
export function* peekMarker(input: Input, markers: readonly string[]): Reading<string | undefined> {
  for (;;) {
    const isOpen = !input.isOver && markers.some((marker) => isCut(input, input.at, marker));
    if (!isOpen) return findLongest(markers.filter((marker) => input.text.startsWith(marker, input.at)));
    yield undefined;
  }
}
export function* takeMarker(input: Input, markers: readonly string[]): Reading<string | undefined> {
  const marker = yield* peekMarker(input, markers);
  input.at += marker?.length ?? 0;
  return marker;
}

/** Goes to the first of the markers, or to the end if there is none. */
export function* findMarker(input: Input, markers: readonly string[]): Reading<string | undefined> {
  for (;;) {
    input.at = findStart(input, markers);
    const marker = yield* peekMarker(input, markers);
    if (marker !== undefined) return marker;
    if (!(yield* hasMore(input))) return undefined;
  }
}

/** Where the first marker begins, or may begin with what follows; else the end. */
export function findStart(input: Input, markers: readonly string[]): number {
  const initials = new Set(markers.map((marker) => marker.charAt(0)));
  for (let at = input.at; at < input.text.length; at++)
    if (
      initials.has(input.text.charAt(at)) &&
      markers.some((marker) => input.text.startsWith(marker, at) || (!input.isOver && isCut(input, at, marker)))
    )
      return at;
  return input.text.length;
}

/** Whether the text ends inside a marker that began here. */
const isCut = (input: Input, at: number, marker: string): boolean =>
  input.text.length - at < marker.length && marker.startsWith(input.text.slice(at));
const findLongest = (markers: readonly string[]): string | undefined => markers.toSorted((one, other) => other.length - one.length)[0];
