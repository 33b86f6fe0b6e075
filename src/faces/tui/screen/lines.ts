import { measureWidth, splitByWidth, splitGraphemes } from '../../../base/width.ts';

/** What a line may have besides text: colors, links (OSC 8) and the marks of prompts (OSC 133). */
// oxlint-disable-next-line no-control-regex -- sequences are what this is about
const SEQUENCE = /(\u001b(?:\[[0-9;:]*m|\](?:8|133);[^\u0007\u001b]*(?:\u0007|\u001b\\)))/;
const SEQUENCES = new RegExp(SEQUENCE, 'g');
/** Everything a terminal would obey. The layout has spelt it out in foreign text already; this is the last net. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;
// oxlint-disable-next-line no-control-regex -- the same, to test
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const RESET = '\u001b[0m';
const CLOSE_LINK = '\u001b]8;;\u001b\\';

/** The text of a line alone. */
export const stripSequences = (line: string): string => (line.includes('\u001b') ? line.replaceAll(SEQUENCES, '') : line);

/** Columns that a line takes. */
export const measureLine = (line: string): number => measureWidth(stripSequences(line));

/** Signs that some terminals draw in two columns and others in one; several that are joined are one to some, as many as there are to others. */
const PICTURES =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Presentation})(?:\ufe0f|\p{Emoji_Modifier}|\u200d(?:\p{Extended_Pictographic}|\p{Emoji_Presentation}))*/gu;
const JOINERS = /\ufe0f|\u200d/g;

/** Rows that a line takes at least once a terminal of so many columns has wrapped it: with pictures as narrow as any terminal draws them. */
export const countRows = (line: string, columns: number): number =>
  splitByWidth(stripSequences(line).replaceAll(PICTURES, 'x').replaceAll(JOINERS, ''), Math.max(1, columns)).length;

/** A line that leaves no style behind and makes a terminal obey nothing but its styles. */
export function closeLine(line: string): string {
  if (!CONTROL.test(line)) return line;
  const clean = line
    .split(SEQUENCE)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replaceAll(CONTROLS, '')))
    .join('');
  if (!clean.includes('\u001b')) return clean;
  return `${clean}${clean.includes('\u001b]8;') ? CLOSE_LINK : ''}${clean.endsWith(RESET) ? '' : RESET}`;
}

/** The same within so many columns; the rest is cut off. */
export function clipLine(line: string, columns: number): string {
  const closed = closeLine(line);
  if (measureLine(closed) <= columns) return closed;
  let [cut, room] = ['', columns];
  for (const [index, piece] of closed.split(SEQUENCE).entries()) {
    const taken = index % 2 === 1 ? piece : takeColumns(piece, room);
    cut += taken;
    if (index % 2 === 0) room = taken === piece ? room - measureWidth(piece) : 0;
  }
  return cut;
}

/** A line in rows of so many columns, as a terminal would wrap it; each row begins with the styles that are open there. */
export function splitLine(line: string, columns: number): string[] {
  if (measureLine(line) <= columns) return [line];
  const rows: string[] = [];
  let [row, room, styles] = ['', columns, ''];
  for (const [index, piece] of line.split(SEQUENCE).entries()) {
    if (index % 2 === 1) [row, styles] = [row + piece, styles + piece];
    else
      for (const grapheme of splitGraphemes(piece)) {
        const width = measureWidth(grapheme);
        if (width > room) {
          rows.push(row);
          [row, room] = [styles, columns];
        }
        [row, room] = [row + grapheme, room - width];
      }
  }
  return [...rows, row].map(closeLine);
}

function takeColumns(text: string, columns: number): string {
  if (columns <= 0) return '';
  const first = splitByWidth(text, columns)[0] ?? '';
  return measureWidth(first) > columns ? '' : first;
}
