/** Cells of a terminal as an SVG. The same cells always give the same bytes. */
import type { Cell, Picture } from './screen.ts';

export interface Palette {
  readonly text: string;
  readonly background: string;
  readonly frame: string;
  readonly title: string;
  /** The sixteen colors that the terminal's owner chooses. */
  readonly named: readonly string[];
}

const [CELL_WIDTH, CELL_HEIGHT, FONT_SIZE, PADDING, BAR_HEIGHT] = [8.4, 18, 14, 14, 30] as const;
const FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** Several ordinary spaces would be drawn as one. */
const NO_BREAK = '\u00a0';

export function toSvg({ columns, rows, cursor }: Picture, palette: Palette, title: string): string {
  const width = round(columns * CELL_WIDTH + 2 * PADDING);
  const height = round(rows.length * CELL_HEIGHT + 2 * PADDING + BAR_HEIGHT);
  const runs = rows.flatMap((cells, row) => splitRuns(cells).map((run) => ({ ...run, row })));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${palette.background}" stroke="${palette.frame}"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map((color, at) => `<circle cx="${18 + 18 * at}" cy="16" r="5.5" fill="${color}"/>`),
    `<g font-family="${FONTS}" font-size="${FONT_SIZE}" fill="${palette.text}">`,
    `<text x="${round(width / 2)}" y="20" font-size="12" text-anchor="middle" fill="${palette.title}">hermes</text>`,
    ...runs.flatMap((run) => drawBackground(run, palette)),
    ...(cursor === undefined ? [] : [drawCursor(cursor, palette)]),
    ...runs.flatMap((run) => drawRun(run, palette)),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

interface Run extends Omit<Cell, 'width'> {
  readonly column: number;
  readonly columns: number;
  readonly row: number;
}

/** Neighbors that look alike are one text; a wide character is one alone, because fonts disagree about its width. */
function splitRuns(cells: readonly Cell[]): Omit<Run, 'row'>[] {
  const runs: Omit<Run, 'row'>[] = [];
  for (const [column, { width, ...cell }] of cells.entries()) {
    const last = runs.at(-1);
    if (width === 0) continue;
    if (last !== undefined && width === 1 && last.column + last.columns === column && lookOf(last) === lookOf(cell) && isNarrow(last))
      runs[runs.length - 1] = { ...last, text: last.text + cell.text, columns: last.columns + 1 };
    else runs.push({ ...cell, column, columns: width });
  }
  return runs;
}
const lookOf = ({ color, background, bold, italic, underline, dim }: Omit<Cell, 'width' | 'text'>): string =>
  [color, background, bold, italic, underline, dim].join();
const isNarrow = ({ text, columns }: { readonly text: string; readonly columns: number }): boolean => Array.from(text).length === columns;

function drawRun({ text, column, columns, row, color, bold, italic, underline, dim }: Run, palette: Palette): string[] {
  const shown = text.trimEnd();
  const lead = shown.length - shown.trimStart().length;
  if (shown === '' || lead === shown.length) return [];
  const words = shown.slice(lead);
  const cells = isNarrow({ text, columns }) ? Array.from(words).length : columns;
  const attributes = [
    ...(color === undefined ? [] : [`fill="${toColor(color, palette)}"`]),
    ...(bold ? ['font-weight="bold"'] : []),
    ...(italic ? ['font-style="italic"'] : []),
    ...(underline ? ['text-decoration="underline"'] : []),
    ...(dim ? ['opacity="0.65"'] : []),
  ].join(' ');
  const y = round(BAR_HEIGHT + PADDING + row * CELL_HEIGHT + FONT_SIZE - 1);
  // The length is given, so that columns stand below each other in every font.
  const length = cells > 1 ? ` textLength="${round(cells * CELL_WIDTH)}" lengthAdjust="spacingAndGlyphs"` : '';
  return [
    `<text x="${toX(column + lead)}" y="${y}"${length}${attributes === '' ? '' : ` ${attributes}`}>${escapeXml(words.replaceAll(' ', NO_BREAK))}</text>`,
  ];
}

function drawBackground({ background, column, columns, row }: Run, palette: Palette): string[] {
  if (background === undefined) return [];
  const y = round(BAR_HEIGHT + PADDING + row * CELL_HEIGHT);
  return [
    `<rect x="${toX(column)}" y="${y}" width="${round(columns * CELL_WIDTH)}" height="${CELL_HEIGHT}" fill="${toColor(background, palette)}"/>`,
  ];
}

const drawCursor = ({ row, column }: { readonly row: number; readonly column: number }, { text }: Palette): string =>
  `<rect x="${toX(column)}" y="${round(BAR_HEIGHT + PADDING + row * CELL_HEIGHT)}" width="${CELL_WIDTH}" height="${CELL_HEIGHT}" fill="${text}" opacity="0.7"/>`;

/** `#rrggbb`, `pN` of the terminal's own colors, or one of the two that a terminal has by default. */
function toColor(color: string, palette: Palette): string {
  if (color === 'text') return palette.text;
  if (color === 'background') return palette.background;
  if (!color.startsWith('p')) return color;
  const index = Number(color.slice(1));
  return palette.named[index] ?? toCube(index);
}
const LEVELS = [0, 95, 135, 175, 215, 255] as const;
function toCube(index: number): string {
  const gray = 8 + 10 * (index - 232);
  const at = index - 16;
  const parts =
    index >= 232 ? [gray, gray, gray] : [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((level) => LEVELS[level] ?? 0);
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

const toX = (column: number): number => round(PADDING + column * CELL_WIDTH);
const round = (value: number): number => Math.round(value * 10) / 10;
const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
