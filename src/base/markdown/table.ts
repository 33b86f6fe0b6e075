import { createFlow, measurePaintedWidth as seen, type MarkdownPaint } from './flow.ts';
import { parseInline } from './inline.ts';
import { isTableRule } from './block.ts';

const GAP = '  ';
/** A column narrower than this breaks most words. */
const LEAST = 10;

/** A table as aligned columns; where the screen is too narrow for them, each row as a list of its cells. */
export function drawTable(
  lines: readonly string[],
  { paint, columns }: { readonly paint: MarkdownPaint; readonly columns: number },
): string {
  const [head = [], ...rows] = lines.filter((line) => !isTableRule(line)).map(cellsOf);
  const widths = fitted(
    head.map((_, column) => Math.max(...[head, ...rows].map((row) => widthOf(row[column] ?? '', paint)))),
    columns - GAP.length * (head.length - 1),
  );
  if (widths === undefined) return rows.map((row) => listed(head, row, paint, columns)).join('\n');
  const rule = paint.faint(widths.map((width) => '─'.repeat(width)).join(GAP));
  const sides = cellsOf(lines.find(isTableRule) ?? '').map(sideOf);
  const layout = widths.map((width, column) => ({ width, side: sides[column] ?? 'left' }));
  const drawn = [head, ...rows].map((row, index) => drawRow(row, layout, paint, index === 0));
  return `${[drawn[0] ?? '', rule, ...drawn.slice(1)].join('\n')}\n`;
}

type Side = 'left' | 'center' | 'right';
const sideOf = (rule: string): Side => (!rule.endsWith(':') ? 'left' : rule.startsWith(':') ? 'center' : 'right');
interface AlignedColumn {
  readonly width: number;
  readonly side: Side;
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

const cellLines = (cell: string, paint: MarkdownPaint, columns: number, isHead = false): string[] =>
  createFlow({ paint, columns, first: '', next: '', ...(isHead && { over: paint.strong }) })
    .put(parseInline(cell.replaceAll(/<br\s*\/?>/gi, ' '), false).runs)
    .split('\n');
const widthOf = (cell: string, paint: MarkdownPaint): number => seen(cellLines(cell, paint, Infinity)[0] ?? '');

/** The widest columns give way until all fit; nothing when that would leave one too narrow to read. */
function fitted(natural: readonly number[], room: number): readonly number[] | undefined {
  const widths = [...natural];
  for (let over = sum(widths) - room; over > 0; over--) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] ?? 0) - 1;
    if ((widths[widest] ?? 0) < LEAST) return undefined;
  }
  return widths;
}
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

function drawRow(row: readonly string[], layout: readonly AlignedColumn[], paint: MarkdownPaint, isHead: boolean): string {
  const cells = layout.map(({ width }, column) => cellLines(row[column] ?? '', paint, width, isHead));
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    layout
      .map((column, index) => align(cells[index]?.[line] ?? '', column))
      .join(GAP)
      .trimEnd(),
  ).join('\n');
}
function align(drawn: string, { width, side }: AlignedColumn): string {
  const free = Math.max(0, width - seen(drawn));
  const before = side === 'left' ? 0 : side === 'right' ? free : Math.floor(free / 2);
  return ' '.repeat(before) + drawn + ' '.repeat(free - before);
}

function listed(head: readonly string[], row: readonly string[], paint: MarkdownPaint, columns: number): string {
  const lines = row.flatMap((cell, column) => {
    if (cell === '') return [];
    const name = head[column] ?? '';
    const flow = createFlow({ paint, columns, first: column === 0 ? `${paint.accent('•')} ` : '  ', next: '    ' });
    const label = name === '' ? [] : parseInline(`**${name}:** `, false).runs;
    return [flow.put([...label, ...parseInline(cell, false).runs])];
  });
  return `${lines.join('\n')}\n`;
}
