/** A piece of the text that says something else when decoded. */
export interface Blob {
  readonly text: string;
  readonly at: number;
}

/** One start per run, so that a long text of short runs costs no more than its length. */
const RUN = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}/g;
const HEX = /^[0-9a-f]{48,}$/i;
const WRAPPED_LINE = 40;

/** Base64 and hex of at least 24 characters that decode to words; one level deep. */
export function findBlobs(text: string): readonly Blob[] {
  const found: Blob[] = [];
  for (const { piece, at } of pieces(text)) {
    const decoded = readable(Buffer.from(piece, HEX.test(piece) ? 'hex' : 'base64').toString('utf8'));
    if (decoded !== undefined) found.push({ text: decoded, at });
  }
  return found;
}

/** Long lines that follow each other directly are one blob that was wrapped. */
function* pieces(text: string): Generator<{ readonly piece: string; readonly at: number }> {
  let held = { piece: [''], at: 0, end: -1, open: false };
  for (const match of text.matchAll(RUN)) {
    const [run] = match;
    const end = match.index + run.length;
    const open = run.length >= WRAPPED_LINE;
    if (held.open && match.index - held.end <= 12 && /^\r?\n[ \t>]*$/.test(text.slice(held.end, match.index))) {
      held.piece.push(run);
      held = { ...held, end, open };
    } else {
      if (held.end >= 0) yield { piece: held.piece.join(''), at: held.at };
      held = { piece: [run], at: match.index, end, open };
    }
  }
  if (held.end >= 0) yield { piece: held.piece.join(''), at: held.at };
}

/** Fixtures, hashes and paths give rubbish; what was meant to be read is nearly all letters and blanks. */
function readable(decoded: string): string | undefined {
  if (decoded.length < 8 || decoded.slice(0, 200).includes('\ufffd')) return undefined;
  const sample = decoded.slice(0, 2000);
  const good = sample.match(/[\p{L}\p{N} .,;:'"/\-_=()\n]/gu)?.length ?? 0;
  return good >= Array.from(sample).length * 0.85 ? decoded : undefined;
}
