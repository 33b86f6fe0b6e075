import type { LayoutSlot, TerminalSlot } from '../../../contracts/terminal-extension.ts';
import type { CursorPosition, DrawContext, Frame, KeyWidget, SlotContents, Widget } from '../contract.ts';
import { countRows } from '../screen/lines.ts';

export interface ComposeOptions {
  /** Lines of what is still being written, above the slots. */
  readonly live: readonly string[];
  readonly slots: SlotContents;
  readonly layout: readonly LayoutSlot[];
  /** What has the keys: its cursor is the frame's. */
  readonly focus: KeyWidget;
  readonly context: DrawContext;
  wrap(slot: LayoutSlot, lines: readonly string[], columns: number): readonly string[];
}

/**
 * The frame: what is being written, and below it the slots in the order of the layout. A screen shows the end of a frame that
 * is higher than itself; so while a question is open, what stands below it gives way until the whole question is seen.
 */
export function composeFrame({ live, slots, layout, focus, context, wrap }: ComposeOptions): Frame {
  const lines: string[] = [];
  let cursor: CursorPosition | undefined;
  let question: { readonly end: number; readonly room: number } | undefined;
  for (const place of layout) {
    const widget = slots[place.slot];
    if (widget === undefined) continue;
    const own = widget.render(context);
    const drawn = wrap(place, own, context.columns);
    const isQuestion = QUESTIONS.has(place.slot);
    if (isQuestion && drawn.length > 0 && lines.at(-1) !== '') lines.push('');
    if (isFocused(widget, focus)) cursor = shiftCursor(focus.cursor?.(), lines.length + Math.max(0, findFirst(drawn, own)));
    lines.push(...drawn);
    if (isQuestion) question = { end: lines.length, room: Math.max(0, context.rows - drawn.length) };
  }
  if (question !== undefined) lines.splice(question.end + question.room);
  const above = takeEnd(live, lines, context);
  const placed = shiftCursor(cursor, above.length);
  return { lines: [...above, ...lines], ...(placed && { cursor: placed }) };
}

/**
 * The end of what is being written, as much as stays on the screen when the terminal becomes half as wide: it then wraps
 * every line and pushes what has no room into the scrollback, where nobody can take it back.
 */
function takeEnd(live: readonly string[], below: readonly string[], { columns, rows }: DrawContext): readonly string[] {
  const narrow = Math.min(columns, Math.max(LEAST_COLUMNS, Math.floor(columns / 2)));
  let room = Math.max(rows - sumRows(below, narrow), Math.floor(rows / 4));
  const first = live.findLastIndex((line) => (room -= countRows(line, narrow)) < 0);
  return live.slice(first + 1);
}
const sumRows = (lines: readonly string[], columns: number): number => lines.reduce((sum, line) => sum + countRows(line, columns), 0);
/** Narrower than this nobody makes a terminal in passing. */
const LEAST_COLUMNS = 40;
const QUESTIONS: ReadonlySet<TerminalSlot> = new Set(['sudo', 'secret', 'approval', 'clarify']);

const isFocused = (widget: Widget, focus: KeyWidget): boolean => widget === focus;
const findFirst = (drawn: readonly string[], [first]: readonly string[]): number => (first === undefined ? 0 : drawn.indexOf(first));
const shiftCursor = (cursor: CursorPosition | undefined, rows: number): CursorPosition | undefined =>
  cursor && { row: cursor.row + rows, column: cursor.column };
