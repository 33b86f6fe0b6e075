import { describeEscapes, showInvisible, toVisibleLine } from '../visible.ts';
import { splitByWidth } from '../width.ts';
import { formatWhole } from './figures.ts';
import { wrapText } from './wrap.ts';

/** A line of what is consented to, and one that goes on because the screen is no wider. */
const [LINE, GOES_ON] = ['  │ ', '  ┆ '] as const;
/** So much is seen at a glance; of more it is said how much it is. */
const GLANCE = 20;
/** A terminal that says it has no width still gets lines. */
const LEAST = 20;

/**
 * What somebody is to consent to, whole. Every line stands behind a bar, so that no text can pass for ours, by line breaks
 * of its own or by blanks up to the edge of the screen.
 */
export function drawAct(act: string, columns: number): string[] {
  const room = Math.max(LEAST, columns - LINE.length);
  const lines = showInvisible(act)
    .split('\n')
    .flatMap((line) => splitByWidth(line, room).map((slice, index) => `${index === 0 ? LINE : GOES_ON}${slice}`));
  const size = `all of it: ${formatWhole(act.split('\n').length)} lines, ${formatWhole(act.length)} characters`;
  const about = [...describeEscapes(act), ...(lines.length > GLANCE ? [size] : [])];
  return [...lines, ...(about.length === 0 ? [] : setIn(`(${about.join('; ')})`, columns))];
}

/** What is to be known of it. The words may be others', too. */
export const drawNotes = (notes: readonly string[], columns: number): string[] =>
  notes.flatMap((note) => setIn(toVisibleLine(note), columns));

/** Below the bars; a line that goes on is set in further. */
const setIn = (words: string, columns: number): string[] =>
  wrapText(words, Math.max(LEAST, columns - LINE.length)).map((line, index) => `${index === 0 ? '  ' : '    '}${line}`);
