import { toPrintable } from '../../../base/printable.ts';
import { formatWhole } from '../../../base/screen/figures.ts';
import { fitWidth } from '../../../base/width.ts';
import type { DrawContext, StyleName } from '../contract.ts';
import { wrapForeign } from './text.ts';

/** How much of a long text is shown: its beginning and its end. */
export interface FoldShape {
  readonly head: number;
  readonly tail: number;
}
export interface FoldLook {
  readonly look?: StyleName;
  /** Lines that are too long go on below; otherwise they are cut at the edge, unless everything is shown. */
  readonly isWrapped?: boolean;
}
/** A fold that hides less than this costs as much room as it saves. */
const LEAST_HIDDEN = 2;

/** Lines that are drawn already, with a line in place of those that are hidden; all of them where everything is shown. */
export function foldLines(lines: readonly string[], { head, tail }: FoldShape, { expanded, style, keyNames }: DrawContext): string[] {
  const hidden = lines.length - head - tail;
  if (expanded === true || hidden < LEAST_HIDDEN) return [...lines];
  const note = style('faint', `  … ${formatWhole(hidden)} more lines (${keyNames?.viewer ?? 'Ctrl+O'} shows them)`);
  return [...lines.slice(0, head), note, ...(tail > 0 ? lines.slice(-tail) : [])];
}

/** A text of somebody else's under a row, set in and folded. */
export function drawFolded(
  text: string,
  shape: FoldShape,
  context: DrawContext,
  { look = 'faint', isWrapped = context.expanded === true }: FoldLook = {},
): string[] {
  const room = Math.max(1, context.columns - 2);
  const source = trimBlankLines(toPrintable(text).replaceAll('\t', '    ').split('\n'));
  const lines = isWrapped ? source.flatMap((line) => wrapForeign(line, room)) : source.map((line) => fitWidth(line.trimEnd(), room));
  return foldLines(
    lines.map((line) => (line === '' ? '' : `  ${context.style(look, line)}`)),
    shape,
    context,
  );
}

function trimBlankLines(lines: readonly string[]): readonly string[] {
  const isText = (line: string) => line.trim() !== '';
  const first = lines.findIndex(isText);
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(isText) + 1);
}
