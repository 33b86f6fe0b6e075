/** So many characters at the end that are one piece over and over are no answer any more. */
const REPEATED = 6_000;
/** The longest such piece. */
const MAX_PIECE = 500;
/** How often it is looked at, in characters. */
const EVERY = 1_000;

export interface RepetitionWatch {
  /** Says whether the text has come to nothing but repetition. */
  add(delta: string): boolean;
  readonly length: number;
  /** The text with the piece once. */
  text(): string;
}

/** Watches a text that grows. */
export function watchRepetition(): RepetitionWatch {
  let [whole, seen, piece] = ['', 0, 0];
  return {
    add: (delta) => {
      whole += delta;
      if (whole.length - seen < EVERY || whole.length < REPEATED) return false;
      seen = whole.length;
      piece = pieceOf(whole.slice(-REPEATED));
      return piece > 0;
    },
    get length() {
      return whole.length;
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
