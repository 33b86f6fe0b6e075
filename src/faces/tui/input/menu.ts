import { toOneLine } from '../../../base/printable.ts';
import { fitWidth, measureWidth, padEndTo } from '../../../base/width.ts';
import type { DrawContext } from '../contract.ts';

export interface MenuRow {
  readonly label: string;
  readonly summary?: string;
}

export const MAX_MENU_ROWS = 8;
/** Of the columns, for the labels. */
const LABEL_SHARE = 0.5;

/** Rows around the one that is selected, each in one line. The words may be others'. */
export function drawMenu(rows: readonly MenuRow[], selected: number, { columns, style }: DrawContext, most = MAX_MENU_ROWS): string[] {
  const start = Math.max(0, Math.min(selected - Math.floor(most / 2), rows.length - most));
  const shown = rows
    .slice(start, start + most)
    .map(({ label, summary = '' }) => ({ label: toOneLine(label), summary: toOneLine(summary) }));
  const widest = Math.max(0, ...shown.map(({ label }) => measureWidth(label)));
  const room = Math.min(widest, shown.some(({ summary }) => summary !== '') ? Math.floor(columns * LABEL_SHARE) : columns - 2);
  const lines = shown.map(({ label, summary }, index) => {
    const isSelected = start + index === selected;
    const left = columns - room - 4;
    const about = summary === '' || left < 8 ? '' : `  ${fitWidth(summary, left)}`;
    const name = about === '' ? fitWidth(label, room) : padEndTo(fitWidth(label, room), room);
    return `${isSelected ? '›' : ' '} ${isSelected ? style('selected', name) : name}${style('faint', about)}`;
  });
  if (rows.length <= most) return lines;
  return [...lines, style('faint', fitWidth(`  ${selected + 1} of ${rows.length}`, columns))];
}
