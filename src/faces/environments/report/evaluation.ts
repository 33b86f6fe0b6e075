import { formatCount, formatPercent, formatShort, formatWhole } from '../../../base/screen/figures.ts';
import { formatDuration, formatMoment } from '../../../base/screen/when.ts';
import type { Estimate, EvaluationFigures } from '../../../contracts/services/environments.ts';
import { markup, type Markup } from '../../../commands/page-markup.ts';
import { drawColumns, PLOT_STYLE } from '../../../commands/page-plots.ts';
import { createPage } from '../../../commands/page-shell.ts';
import { drawHtmlTable } from '../../../commands/page-tables.ts';
import { findMedian } from '../intervals.ts';
import { ATTEMPTS_STYLE, drawAttempts, drawTaskGrid, writeFilterRules, type ReportedAttempt } from './attempts.ts';
import { CONVERSATION_STYLE } from './conversation.ts';
import {
  COLORS,
  compareGroups,
  drawCards,
  drawLegend,
  drawIntervals,
  MARKS_STYLE,
  OUTCOMES,
  outcomeOf,
  percent,
  section,
} from './marks.ts';

export interface EvaluationPageOptions {
  readonly name: string;
  /** What answered, as far as it is known. */
  readonly model?: string;
  readonly figures: EvaluationFigures;
  readonly attempts: readonly ReportedAttempt[];
  readonly isStopped: boolean;
  readonly now: number;
}

/** A run as one page: how good, at what, how sure, at what cost, and every attempt to look into. */
export function createEvaluationPage(options: EvaluationPageOptions): string {
  const { name, figures, attempts, isStopped, now, model } = options;
  const title = `Evaluation: ${name}`;
  const body = markup`<header><h1>${title}</h1><p class="faint">${model === undefined ? '' : `${model}, `}${formatCount(figures.tasks, 'task')}, ${formatCount(figures.attempts, 'attempt')}, written ${formatMoment(now)}.</p>${isStopped ? markup`<p class="bad">The run was stopped before the end. The same command continues it.</p>` : undefined}</header><main>${drawTotals(figures)}<div class="halves">${drawGroups('Pass rate by difficulty', figures.byDifficulty)}${drawGroups('Pass rate by category', figures.byCategory)}</div>${drawHistograms(attempts)}${attempts.length > 1 ? drawTaskGrid(attempts) : undefined}${drawMetrics(figures)}${drawAttempts(attempts)}</main><footer><p class="faint">Bands are 95% intervals: Wilson’s for shares, Student’s for means (a wider one where all tasks came out alike). Attempts at one task resemble each other, so that only tasks count as independent.</p></footer>`;
  return createPage({
    title,
    style: PLOT_STYLE + MARKS_STYLE + '.plots { gap: 1.4rem; }' + CONVERSATION_STYLE + ATTEMPTS_STYLE + writeFilterRules(attempts),
    body,
  });
}

function drawTotals(figures: EvaluationFigures): Markup {
  const { passRate, reward, tasks, attempts, passed, passAny, turns, tokensIn, tokensOut, agentSeconds, errors } = figures;
  const each = (value: number): number => (attempts === 0 ? 0 : value / attempts);
  return drawCards([
    ['Pass rate', percent(passRate.mean), `95%: ${percent(passRate.low)} to ${percent(passRate.high)}`],
    ['Mean reward', reward.mean.toFixed(3), `95%: ${reward.low.toFixed(3)} to ${reward.high.toFixed(3)}`],
    ['Passed', formatWhole(passed), `of ${formatCount(attempts, 'attempt')} at ${formatCount(tasks, 'task')}`],
    ['Solved at least once', formatPercent(passAny), 'of the tasks'],
    ['Model calls', turns.toFixed(1), 'per attempt'],
    [
      'Tokens',
      formatShort(each(tokensIn + tokensOut)),
      `per attempt; ${formatShort(tokensIn)} in and ${formatShort(tokensOut)} out in all`,
    ],
    ['Time', formatDuration(each(agentSeconds) * 1_000), 'per attempt'],
    ['Broken', formatWhole(errors), errors === 0 ? 'every attempt could be judged' : 'count as failures'],
  ]);
}

function drawGroups(title: string, groups: Readonly<Record<string, Estimate>>): Markup | undefined {
  const rows = Object.entries(groups)
    .toSorted(([a], [b]) => compareGroups(a, b))
    .map(([name, estimate]) => ({
      name,
      estimate,
      words: percent(estimate.mean),
      note: `${percent(estimate.low)} to ${percent(estimate.high)}; ${formatCount(estimate.count, 'attempt')}`,
    }));
  return rows.length === 0
    ? undefined
    : section(title, drawIntervals({ rows, low: 0, high: 1, scale: ['0%', '25%', '50%', '75%', '100%'] }));
}

interface AttemptHistogram {
  readonly title: string;
  readonly valueOf: (attempt: ReportedAttempt) => number;
  readonly format: (value: number) => string;
  /** The right end, where it is known beforehand. */
  readonly most?: number;
  readonly isWhole?: true;
}
const HISTOGRAMS: readonly AttemptHistogram[] = [
  { title: 'Rewards', valueOf: ({ scored }) => scored.reward, format: (value) => value.toFixed(1), most: 1 },
  { title: 'Model calls', valueOf: ({ scored }) => scored.turnsUsed, format: formatWhole, isWhole: true },
  { title: 'Tokens', valueOf: ({ scored }) => scored.tokensIn + scored.tokensOut, format: formatShort },
  { title: 'Seconds', valueOf: ({ scored }) => scored.agentSeconds, format: (value) => value.toFixed(value < 10 ? 1 : 0) },
];
const BINS = 20;

const drawHistograms = (attempts: readonly ReportedAttempt[]): Markup | undefined =>
  attempts.length < 2
    ? undefined
    : section(
        'How attempts went',
        markup`${drawLegend()}<div class="halves plots">${HISTOGRAMS.map((histogram) => drawHistogram(histogram, attempts))}</div>`,
      );

/** Attempts by a figure, in bins of the same width. */
function drawHistogram({ title, valueOf, format, most, isWhole }: AttemptHistogram, attempts: readonly ReportedAttempt[]): Markup {
  const values = attempts.map(valueOf);
  const [least, top] = [Math.min(0, ...values), Math.max(most ?? 0, ...values)];
  const width = isWhole === true ? Math.max(1, Math.ceil((top + 1) / BINS)) : Math.max((top - least) / BINS, Number.EPSILON);
  const bins = isWhole === true ? Math.ceil((top + 1) / width) : BINS;
  const binOf = (value: number): number => Math.min(bins - 1, Math.floor((value - least) / width));
  const columns = Array.from({ length: bins }, (_, bin) => {
    const inside = attempts.filter((attempt) => binOf(valueOf(attempt)) === bin);
    const parts = OUTCOMES.map((outcome) => inside.filter(({ scored }) => outcomeOf(scored) === outcome).length);
    const from = format(least + bin * width);
    const to = format(least + (bin + 1) * width);
    return {
      label: from,
      parts,
      title: `${from}${isWhole === true && width === 1 ? '' : ` to ${to}`}: ${formatCount(inside.length, 'attempt')}`,
    };
  });
  const highest = Math.max(1, ...columns.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0)));
  const middle = findMedian(values);
  const last = columns.at(-1);
  return drawColumns({
    title: `${title}: median ${format(middle)}`,
    summary: `${title} of ${formatCount(attempts.length, 'attempt')}, from ${format(Math.min(...values))} to ${format(Math.max(...values))}`,
    columns: last === undefined ? [] : [...columns.slice(0, -1), { ...last, label: format(isWhole === true ? top : least + bins * width) }],
    colors: OUTCOMES.map((outcome) => COLORS[outcome]),
    most: highest,
    mostLabel: formatCount(highest, 'attempt'),
  });
}

const drawMetrics = ({ metrics }: EvaluationFigures): Markup | undefined =>
  Object.keys(metrics).length === 0
    ? undefined
    : section(
        'Further figures of this environment',
        drawHtmlTable(
          ['Figure', 'Mean'],
          Object.entries(metrics).map(([name, value]) => [name, value.toFixed(3)]),
        ),
      );
