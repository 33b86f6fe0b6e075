/** So many characters at the end that are one piece over and over are looked at as one. */
const REPEATED = 6_000;
/** So many of them are no answer any more. A table of 2,000 equal rows, a long rule and a list of zeros are. */
const MAX_REPEATED = 120_000;
/** The longest such piece. */
const MAX_PIECE = 500;
/** How often it is looked at, in characters. */
const EVERY = 1_000;

export interface RepetitionWatch {
  /** Says whether the text has come to nothing but repetition. */
  add(delta: string): boolean;
  /** The text with the piece once. */
  text(): string;
}

/** Watches a text that grows. */
export function watchRepetition(): RepetitionWatch {
  let [whole, tail, piece] = ['', '', 0];
  /** What repeats itself now, and since where. */
  let repeated = { piece: 0, from: 0 };
  return {
    // Looked at whenever so many characters are full, however they came.
    add: (delta) => {
      for (let at = 0; at < delta.length && piece === 0;) {
        const next = delta.slice(at, at + EVERY - (whole.length % EVERY));
        at += next.length;
        whole += next;
        // The end is kept apart: to look at the end of a long text that grows is to copy all of it.
        tail += next;
        if (whole.length % EVERY > 0) continue;
        tail = tail.slice(-REPEATED);
        if (whole.length < REPEATED) continue;
        const found = pieceOf(tail);
        if (found === 0 || found !== repeated.piece) repeated = { piece: found, from: whole.length - REPEATED };
        if (found > 0 && whole.length - repeated.from >= MAX_REPEATED) piece = found;
      }
      return piece > 0;
    },
    text: () => (piece === 0 ? whole : withPieceOnce(whole, piece)),
  };
}

/** The length of the piece a text consists of, the shortest that fits; 0 when there is none. */
function pieceOf(text: string): number {
  for (let piece = 1; piece <= MAX_PIECE; piece++)
    if (text.endsWith(text.slice(-2 * piece, -piece)) && text.slice(piece) === text.slice(0, -piece)) return piece;
  return 0;
}

function withPieceOnce(text: string, piece: number): string {
  let start = text.length - piece;
  while (start > 0 && text[start - 1] === text[start - 1 + piece]) start--;
  return text.slice(0, start + piece);
}
