import { matchesKey } from '@earendil-works/pi-tui/dist/keys.js';
import type { ScrollArea } from './scroll-area.ts';

type Move = (area: ScrollArea, page: number) => void;
const WHEEL_ROWS = 3;

/** Keys that scroll, besides those that write: for a screen with an editor only the first list counts. */
const SPECIAL: readonly (readonly [Parameters<typeof matchesKey>[1], Move])[] = [
  ['pageUp', (area, page) => area.scroll(1 - page)],
  ['pageDown', (area, page) => area.scroll(page - 1)],
  ['ctrl+home', (area) => area.toTop()],
  ['ctrl+end', (area) => area.toEnd()],
];
const PLAIN: readonly (readonly [Parameters<typeof matchesKey>[1], Move])[] = [
  ['up', (area) => area.scroll(-1)],
  ['k', (area) => area.scroll(-1)],
  ['down', (area) => area.scroll(1)],
  ['j', (area) => area.scroll(1)],
  ['enter', (area) => area.scroll(1)],
  ['space', (area, page) => area.scroll(page - 1)],
  ['b', (area, page) => area.scroll(1 - page)],
  ['ctrl+d', (area, page) => area.scroll(Math.floor(page / 2))],
  ['ctrl+u', (area, page) => area.scroll(-Math.floor(page / 2))],
  ['home', (area) => area.toTop()],
  ['g', (area) => area.toTop()],
  ['end', (area) => area.toEnd()],
  ['shift+g', (area) => area.toEnd()],
];

/** Whether the key was one of these; `page` is the height of the area. */
export const scrollByKey = (area: ScrollArea, data: string, page: number): boolean =>
  scrollBeside(area, data, page) || moveBy(PLAIN, area, data === 'G' ? '\u001b[F' : data, page);
/** The same beside an editor, which needs all other keys. */
export const scrollBeside = (area: ScrollArea, data: string, page: number): boolean =>
  scrollByWheel(area, data) || moveBy(SPECIAL, area, data, page);

function moveBy(
  keys: readonly (readonly [Parameters<typeof matchesKey>[1], Move])[],
  area: ScrollArea,
  data: string,
  page: number,
): boolean {
  const move = keys.find(([key]) => matchesKey(data, key))?.[1];
  move?.(area, page);
  return move !== undefined;
}

function scrollByWheel(area: ScrollArea, data: string): boolean {
  // oxlint-disable-next-line no-control-regex -- a sequence of the mouse
  const button = /^\u001b\[<(\d+);\d+;\d+[Mm]$/.exec(data)?.[1];
  if (button === undefined) return false;
  if (button === '64') area.scroll(-WHEEL_ROWS);
  if (button === '65') area.scroll(WHEEL_ROWS);
  return true;
}
