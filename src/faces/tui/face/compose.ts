import type { LayoutSlot, TerminalSlot } from '../../../contracts/terminal-extension.ts';
import type { CursorPosition, DrawContext, Frame, KeyWidget, SlotContents, Widget } from '../contract.ts';

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
  const lines = [...live];
  let cursor: CursorPosition | undefined;
  let question: { readonly end: number; readonly room: number } | undefined;
  for (const place of layout) {
    const widget = slots[place.slot];
    if (widget === undefined) continue;
    const own = widget.render(context);
    const drawn = wrap(place, own, context.columns);
    const isQuestion = QUESTIONS.has(place.slot);
    if (isQuestion && drawn.length > 0 && (lines.at(-1) ?? '') !== '') lines.push('');
    if (isFocused(widget, focus)) cursor = shiftCursor(focus.cursor?.(), lines.length + Math.max(0, findFirst(drawn, own)));
    lines.push(...drawn);
    if (isQuestion) question = { end: lines.length, room: Math.max(0, context.rows - drawn.length) };
  }
  if (question !== undefined) lines.splice(question.end + question.room);
  return cursor === undefined ? { lines } : { lines, cursor };
}
const QUESTIONS: ReadonlySet<TerminalSlot> = new Set(['sudo', 'secret', 'approval', 'clarify']);

const isFocused = (widget: Widget, focus: KeyWidget): boolean => widget === focus;
const findFirst = (drawn: readonly string[], [first]: readonly string[]): number => (first === undefined ? 0 : drawn.indexOf(first));
const shiftCursor = (cursor: CursorPosition | undefined, rows: number): CursorPosition | undefined =>
  cursor && { row: cursor.row + rows, column: cursor.column };
