import { measureWidth, splitGraphemes } from '../../../base/width.ts';

/**
 * A line without styles in pieces that fit the columns as the screen counts them; nothing is left out. Pieces that go on begin
 * with a sign, where one is given.
 */
export function splitToColumns(line: string, columns: number, goesOn = ''): string[] {
  if (measureWidth(line) <= columns) return [line];
  const pieces = [''];
  let room = columns;
  for (const segment of splitGraphemes(line)) {
    const width = measureWidth(segment);
    if (width > room) {
      pieces.push(goesOn);
      room = columns - goesOn.length;
    }
    pieces.push((pieces.pop() ?? '') + segment);
    room -= width;
  }
  return pieces;
}
