import { getGraphemeSegmenter, visibleWidth } from '@earendil-works/pi-tui/dist/utils.js';

/**
 * A line without styles in pieces that fit the columns as the screen counts them; nothing is left out. Pieces that go on begin
 * with a sign, where one is given.
 */
export function splitToColumns(line: string, columns: number, goesOn = ''): string[] {
  if (visibleWidth(line) <= columns) return [line];
  const pieces = [''];
  let room = columns;
  for (const { segment } of getGraphemeSegmenter().segment(line)) {
    const width = visibleWidth(segment);
    if (width > room) {
      pieces.push(goesOn);
      room = columns - goesOn.length;
    }
    pieces.push((pieces.pop() ?? '') + segment);
    room -= width;
  }
  return pieces;
}

export const splitGraphemes = (text: string): string[] => Array.from(getGraphemeSegmenter().segment(text), ({ segment }) => segment);
