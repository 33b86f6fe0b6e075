import type { DrawContext } from '../../contract.ts';
import { fitWidth } from '../../../../base/width.ts';
import { readKey } from '../key-names.ts';

/** Lines of which as many are shown as there is room for; keys move through them. */
export interface DialogScroll {
  render(lines: readonly string[], height: number, context: DrawContext): string[];
  /** Whether the key moved it. */
  handleKey(data: string): boolean;
  /** Brings a line into view. */
  show(line: number): void;
  /** The last line has been on the screen. */
  readonly seenEnd: boolean;
}

/** Where words can be typed, a blank is one of them: there only the keys for pages move. */
export function createDialogScroll({ typing = false }: { readonly typing?: boolean } = {}): DialogScroll {
  let [offset, height, total, seenEnd] = [0, 1, 0, false];
  const move: Readonly<Record<string, () => number>> = {
    pagedown: () => offset + height,
    pageup: () => offset - height,
    ...(!typing && { space: () => offset + height, end: () => total, home: () => 0 }),
  };
  const clamp = (wanted: number): number => Math.max(0, Math.min(wanted, total - height));
  return {
    get seenEnd() {
      return seenEnd;
    },
    show: (line) => {
      if (line < offset || line >= offset + height) offset = clamp(line - height + 1);
    },
    handleKey: (data) => {
      const wanted = move[readKey(data) ?? ''];
      if (wanted === undefined || total <= height) return false;
      offset = clamp(wanted());
      return true;
    },
    render: (lines, room, { columns, style }) => {
      total = lines.length;
      height = total <= room ? room : Math.max(1, room - 1);
      offset = clamp(offset);
      seenEnd ||= offset + height >= total;
      if (total <= height) return [...lines];
      const last = Math.min(total, offset + height);
      const where = `  lines ${offset + 1}–${last} of ${total}${last < total ? ` · ${typing ? 'PgDn' : 'Space'}: more` : ' · PgUp: back'}`;
      return [...lines.slice(offset, last), style('faint', fitWidth(where, columns))];
    },
  };
}

/** Rows that other parts of the bottom area take: status, rules, the editor, a spinner. */
const OTHERS = 7;
/** Fewer rows than this say nothing. */
const LEAST = 3;

/** How many lines of a question may scroll, where so many of its lines always stand. */
export const roomBeside = (lines: number, rows: number): number => Math.max(LEAST, rows - OTHERS - lines);
