/** A line of the plain text; a backslash at its end joins the next one, a very long one comes in slices. */
export interface TextLine {
  readonly text: string;
  readonly at: number;
}

const LONGEST = 2000;
const OVERLAP = 200;
const MAX_JOINED = 12;

export function* splitTextLines(text: string): Generator<TextLine> {
  for (let start = 0; start < text.length;) {
    let end = lineEnd(text, start);
    for (let joined = 0; joined < MAX_JOINED && text[end - 1] === '\\' && end < text.length; joined++) end = lineEnd(text, end + 1);
    for (let at = start; at < end; at += LONGEST - OVERLAP) yield { text: text.slice(at, Math.min(end, at + LONGEST)), at };
    start = end + 1;
  }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
