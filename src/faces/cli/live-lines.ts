import { toPrintable } from '../../base/printable.ts';
import type { Paint } from '../../base/screen/paint.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { formatDuration } from '../../base/screen/when.ts';
import type { AgentEvent } from '../../contracts/event.ts';
import { joinShownResult } from '../../contracts/message.ts';
import { fitWidth } from '../../base/width.ts';

/** A long result is folded in its middle: how it begins and how it ends say most. */
const HEAD_LINES = 7;
const TAIL_LINES = 4;

/** What came of a call, and under it whether it went well. */
export function drawResult(
  { result, ms }: Extract<AgentEvent, { type: 'tool_finished' }>,
  called: string,
  { paint, columns }: Pick<Screen, 'paint' | 'columns'>,
): string {
  const lines = toPrintable(joinShownResult(result))
    .split('\n')
    .filter((line) => line.trim() !== '');
  const folded = lines.length > HEAD_LINES + TAIL_LINES + 1;
  // A line that breaks at the edge tears the picture; the log has all of it.
  const show = (some: readonly string[]) =>
    some.map((line) => `  ${paintLine(fitWidth(line.replaceAll('\t', '    '), columns - 2), paint)}`);
  const shown = folded
    ? [
        ...show(lines.slice(0, HEAD_LINES)),
        paint.faint(`  … ${lines.length - HEAD_LINES - TAIL_LINES} more lines …`),
        ...show(lines.slice(-TAIL_LINES)),
      ]
    : show(lines);
  const mark = result.failed ? paint.bad('✗') : ENDED_BADLY.test(lines.at(-1) ?? '') ? paint.warn('!') : paint.good('✓');
  return [...shown, `  ${mark} ${paint.faint(`${called} · ${formatDuration(ms)}`)}`].join('\n');
}

/** The tool did its work; the command it ran says that something is wrong. */
const ENDED_BADLY = /^\[exit code [1-9]/;

/** Diffs and test reports are read by their first character. */
function paintLine(line: string, paint: Paint): string {
  if (/^(\+(?!\+\+)|✔|ℹ pass)/.test(line)) return paint.good(line);
  if (/^(-(?!--)|✖|ℹ fail [1-9])/.test(line)) return paint.bad(line);
  return paint.faint(line);
}

/** How long is waited before the next try. */
export const formatWait = (ms: number | undefined): string => (ms === undefined || ms === 0 ? '' : ` (${(ms / 1000).toFixed(1)} s)`);
