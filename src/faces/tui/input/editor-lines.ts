import { CURSOR_MARKER } from '@earendil-works/pi-tui/dist/tui.js';
import { toPrintable } from '../../../base/printable.ts';
import { fitWidth, measureWidth } from '../../../base/width.ts';
import type { CursorPosition, DrawContext } from '../contract.ts';
import type { PiEditor } from './pi-editor.ts';

export interface EditorLook {
  /** What would complete the text, drawn faintly behind its end. */
  readonly ghost?: () => string;
  /** Whether a text has a known secret in it: that is drawn as bullets, also while it is typed. */
  readonly hasSecret?: (text: string) => boolean;
}

const DEFAULT_SIGN = '❯';
/** Stands for a tab while it is edited: the editor would make four blanks of it. A code point that no text has. */
export const TAB = '\ufdd0';
const SHOWN_TAB = '⇥';
// oxlint-disable-next-line no-control-regex -- how the editor draws a cursor of its own
const DRAWN_CURSOR = /\x1b\[(?:7|0)m/g;
/** A long paste in the text, by its number. */
export const CHIP = /\[paste #(\d+)(?: (?:\+\d+ lines|\d+ chars))?\]/g;

/** What the editor holds as lines behind the prompt sign, and where the cursor stands in them. */
export function drawEditor(pi: PiEditor, context: DrawContext, { ghost, hasSecret }: EditorLook) {
  const { columns, rows, style, sign = DEFAULT_SIGN } = context;
  const gutter = measureWidth(sign) + 1;
  const room = Math.max(1, columns - gutter);
  const above = (lines: string[], hidden: number, arrow: string): string[] =>
    hidden === 0 ? lines : [...lines, style('faint', fitWidth(`  ${arrow} ${hidden} more`, columns))];
  const drawn = pi.renderText(room, rows, hasSecret === undefined ? undefined : (line) => hideSecrets(line, hasSecret));
  const lines = above([], pi.hiddenAbove, '↑');
  let cursor: CursorPosition | undefined;
  for (const [index, raw] of drawn.entries()) {
    const at = raw.indexOf(CURSOR_MARKER);
    const isLast = index === drawn.length - 1 && pi.hiddenBelow === 0;
    const text = raw.replace(CURSOR_MARKER, '').replaceAll(DRAWN_CURSOR, '').trimEnd();
    const begins = index === 0 && pi.hiddenAbove === 0 ? style('prompt', sign) : ' '.repeat(gutter - 1);
    const before = at < 0 ? '' : raw.slice(0, at).replaceAll(DRAWN_CURSOR, '');
    if (at >= 0) cursor = { row: lines.length, column: gutter + measureWidth(before) };
    const suffix = at >= 0 && isLast && before.length >= text.length ? fitGhost(ghost?.() ?? '', room - measureWidth(before)) : '';
    lines.push(`${begins} ${paint(suffix === '' ? text : before, style)}${suffix === '' ? '' : style('faint', suffix)}`);
  }
  return { lines: above(lines, pi.hiddenBelow, '↓'), cursor };
}

/** As long and as wide as it was, so that the cursor stays where it is. A secret with blanks in it takes the whole line along. */
function hideSecrets(line: string, hasSecret: (text: string) => boolean): string {
  if (!hasSecret(line)) return line;
  const hidden = line.replaceAll(/\S+/g, (word) => (hasSecret(word) ? toBullets(word) : word));
  return hasSecret(hidden) ? toBullets(line) : hidden;
}
const toBullets = (text: string): string => text.replaceAll(/[\u0021-\u024f]/g, '•');

const fitGhost = (text: string, columns: number): string =>
  columns < 2 ? '' : fitWidth(toPrintable(text).split('\n', 1)[0] ?? '', columns);

const paint = (text: string, style: DrawContext['style']): string =>
  text.replaceAll(TAB, style('faint', SHOWN_TAB)).replaceAll(CHIP, (chip) => style('accent', chip));
