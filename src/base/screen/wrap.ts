import { measureWidth } from '../width.ts';

/** How wide a terminal is. Some (`expect`, `docker exec -t`) say 0 where they do not know. */
export const measureColumns = ({ columns = 0 }: { readonly columns?: number }): number => (columns > 0 ? columns : USUAL_COLUMNS);
const USUAL_COLUMNS = 80;

/** Narrower than this a line says nothing; the terminal may break it itself. */
const LEAST = 16;

/** Lines no wider than the room, broken between words; a word too wide for a line is broken where it must be. */
export function wrapText(text: string, room: number): string[] {
  const columns = Math.max(LEAST, room);
  if (measureWidth(text) <= columns) return [text];
  const lines: string[] = [];
  let line = '';
  for (const piece of text.split(/(?<=\s)/).flatMap((word) => (measureWidth(word.trimEnd()) > columns ? Array.from(word) : [word]))) {
    if (line !== '' && measureWidth((line + piece).trimEnd()) > columns) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += piece;
  }
  return [...lines, line.trimEnd()];
}
