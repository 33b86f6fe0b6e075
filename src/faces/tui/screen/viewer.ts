import { matchesKey } from '@earendil-works/pi-tui/dist/keys.js';
import type { Styles, TerminalSize } from '../contract.ts';
import { createAltPainter } from './alt-painter.ts';
import { measureLine } from './lines.ts';
import { createScrollArea, type Place, type ViewerSource } from './scroll-area.ts';
import { scrollByKey } from './scroll-keys.ts';
import { findLine, markMatches } from './search.ts';

export interface ViewerOptions {
  readonly title: string;
  readonly source: ViewerSource;
  readonly write: (bytes: string) => void;
  readonly size: TerminalSize;
  readonly style: Styles;
  /** The block to begin with; the end when left out. */
  readonly start?: number;
  /** It was closed; the main screen is there again as it was. */
  onClose(): void;
}
/** Old rows on the alternate screen: scrolled by keys and by the wheel, searched, closed. */
export interface Viewer {
  handleKey(data: string): void;
  resize(size: TerminalSize): void;
  /** Closes it without asking, as on the way out of the program. */
  close(): void;
}

export function openViewer({ title, source, write, size: startSize, style, start, onClose }: ViewerOptions): Viewer {
  const painter = createAltPainter(write);
  let size = startSize;
  const area = createScrollArea(source, size.columns, size.rows - 1);
  /** What is being typed after the slash; nothing when no search is typed. */
  let typing: string | undefined;
  let query = '';
  let found: Place | undefined;
  let note = '';
  let open = true;

  function draw(): void {
    const lines = area.view().map(({ text }) => (query === '' ? text : markMatches(text, query)));
    const empty = Array.from({ length: size.rows - 1 - lines.length }, () => '');
    painter.draw(
      [...lines, ...empty, footer()],
      size,
      typing === undefined ? undefined : { row: size.rows - 1, column: Math.min(size.columns - 1, measureLine(typing) + 1) },
    );
  }
  function footer(): string {
    if (typing !== undefined) return `/${typing}`;
    const place = area.atEnd ? 'end' : `${Math.floor(area.share * 100)}%`;
    return style('status', ` ${[title, place, note === '' ? HINT : note].join(' · ')}`);
  }
  function search(forward: boolean): void {
    const from = found ?? area.view()[0]?.place ?? { block: 0, line: -1 };
    const next = query === '' || source.count === 0 ? undefined : findLine(source, size.columns, query, from, forward);
    note = query !== '' && next === undefined ? `nothing has ${JSON.stringify(query)}` : '';
    found = next ?? found;
    if (next !== undefined) area.show(next);
  }
  function typeSearch(before: string, data: string): void {
    if (matchesKey(data, 'escape') || matchesKey(data, 'ctrl+c')) typing = undefined;
    else if (matchesKey(data, 'backspace')) typing = before === '' ? undefined : Array.from(before).slice(0, -1).join('');
    else if (matchesKey(data, 'enter')) {
      [query, typing, found] = [before === '' ? query : before, undefined, undefined];
      search(true);
    } else if (isText(data)) typing = before + data;
  }
  function close(): void {
    if (!open) return;
    open = false;
    painter.leave();
    onClose();
  }

  if (start !== undefined) area.show({ block: start, line: 0 });
  draw();
  return {
    handleKey(data) {
      note = '';
      if (typing !== undefined) typeSearch(typing, data);
      else if (data === 'q' || matchesKey(data, 'escape') || matchesKey(data, 'ctrl+c')) close();
      else if (data === '/') typing = '';
      else if (data === 'n' || data === 'N') search(data === 'n');
      else scrollByKey(area, data, size.rows - 1);
      if (open) draw();
    },
    resize(next) {
      size = next;
      area.resize(size.columns, size.rows - 1);
      if (open) draw();
    },
    close,
  };
}

const HINT = '/ search · n next · q close';
const isText = (data: string): boolean => !data.startsWith('\u001b') && data >= ' ' && data !== '\u007f';
