import { formatCount, formatShort } from '../../../base/screen/figures.ts';
import { formatDuration, formatMoment } from '../../../base/screen/when.ts';
import type { Estimate, EvaluationFigures, RunComparison, TaskChange } from '../../../contracts/services/environments.ts';
import { markup, type Markup } from '../../../commands/page-markup.ts';
import { createPage } from '../../../commands/page-shell.ts';
import { drawHtmlTable } from '../../../commands/page-tables.ts';
import { compareGroups, drawCards, drawIntervals, MARKS_STYLE, percent, section, signed } from './marks.ts';

export interface ComparisonPageOptions {
  readonly comparison: RunComparison;
  /** What the two runs are called: their folders. */
  readonly names: readonly [first: string, second: string];
  readonly now: number;
}

/** Two runs side by side, and how sure their difference is. */
export function createComparisonPage({ comparison, names, now }: ComparisonPageOptions): string {
  const { tasks, onlyFirst, onlySecond } = comparison;
  const title = 'Two runs compared';
  const left = onlyFirst + onlySecond === 0 ? '' : ` ${onlyFirst} only in the first and ${onlySecond} only in the second are left out.`;
  const body = markup`<header><h1>${title}</h1><p class="faint">First: ${names[0]}. Second: ${names[1]}. ${formatCount(tasks, 'task')} in both.${left} Written ${formatMoment(now)}.</p></header><main>${drawVerdict(comparison)}${drawDifferences(comparison)}${drawBoth(comparison, names)}${drawChanges(comparison.changes)}</main><footer><p class="faint">The difference is taken task by task, then Student’s 95% interval over tasks (a wider one where all tasks changed alike): what is hard for both runs says nothing about their difference.</p></footer>`;
  return createPage({ title, style: MARKS_STYLE + STYLE, body });
}

function drawVerdict({ difference, isClear, better, worse, tasks }: RunComparison): Markup {
  const words = isClear ? (difference.mean > 0 ? 'The second run is better' : 'The second run is worse') : 'No clear difference';
  return drawCards([
    ['Difference in mean reward', signed(difference.mean), `95%: ${signed(difference.low)} to ${signed(difference.high)}`],
    ['Verdict', words, isClear ? 'zero lies outside the interval' : 'the interval includes zero: it may be chance'],
    ['Better', String(better.length), 'tasks'],
    ['Worse', String(worse.length), 'tasks'],
    ['The same', String(tasks - better.length - worse.length), 'tasks'],
  ]);
}

function drawDifferences({ difference, byCategory, byDifficulty }: RunComparison): Markup {
  const groups: readonly (readonly [string, Estimate])[] = [
    ['all tasks', difference],
    ...Object.entries(byDifficulty).toSorted(([a], [b]) => compareGroups(a, b)),
    ...Object.entries(byCategory),
  ];
  const rows = groups.map(([name, estimate]) => ({
    name,
    estimate,
    words: signed(estimate.mean),
    note: `${signed(estimate.low)} to ${signed(estimate.high)}; ${formatCount(estimate.count, 'task')}`,
    color: estimate.low > 0 ? 'four' : estimate.high < 0 ? 'bad' : 'one',
  }));
  return section(
    'Difference, with its interval',
    drawIntervals({ rows, low: -1, high: 1, scale: ['−1', '−0.5', 'no difference', '+0.5', '+1'] }),
  );
}

function drawBoth({ first, second }: RunComparison, names: readonly [string, string]): Markup {
  const rate = (name: string, { passRate }: EvaluationFigures, color: string) => ({
    name,
    estimate: passRate,
    words: percent(passRate.mean),
    note: `${percent(passRate.low)} to ${percent(passRate.high)}`,
    color,
  });
  const row = (name: string, valueOf: (figures: EvaluationFigures) => string) => [name, valueOf(first), valueOf(second)];
  const each = (value: number, { attempts }: EvaluationFigures): number => (attempts === 0 ? 0 : value / attempts);
  return section(
    'Each run by itself',
    drawIntervals({
      rows: [rate('first', first, 'three'), rate('second', second, 'one')],
      low: 0,
      high: 1,
      scale: ['0%', 'pass rate', '100%'],
    }),
    drawHtmlTable(
      ['', `first: ${names[0]}`, `second: ${names[1]}`],
      [
        row('tasks', ({ tasks }) => String(tasks)),
        row('attempts', ({ attempts }) => String(attempts)),
        row('mean reward', ({ reward }) => reward.mean.toFixed(3)),
        row('model calls per attempt', ({ turns }) => turns.toFixed(1)),
        row('tokens per attempt', (figures) => formatShort(each(figures.tokensIn + figures.tokensOut, figures))),
        row('time per attempt', (figures) => formatDuration(each(figures.agentSeconds, figures) * 1_000)),
        row('broken', ({ errors }) => String(errors)),
      ],
    ),
  );
}

/** From the greatest gain to the greatest loss: an arrow from the first run's mean to the second's. */
function drawChanges(changes: readonly TaskChange[]): Markup {
  const rows = changes.map(({ task, first, second, by }) => {
    const [from, to] = [Math.min(first, second), Math.max(first, second)].map((value) => Math.min(1, Math.max(0, value)) * 100);
    const tint = by > 0 ? 'four' : by < 0 ? 'bad' : 'rest';
    return markup`<li><span class="name">${task}</span><span class="track" style="--tint: var(--${tint})" title="${task}: ${first.toFixed(3)} → ${second.toFixed(3)}"><i class="band" style="left: ${from}%; width: ${(to ?? 0) - (from ?? 0)}%"></i><i class="ring" style="left: ${Math.min(1, Math.max(0, first)) * 100}%"></i><i class="spot" style="left: ${Math.min(1, Math.max(0, second)) * 100}%"></i></span><span class="value">${signed(by)}</span></li>`;
  });
  return section(
    'Task by task',
    markup`<p class="faint">A ring is the first run, a dot the second.</p><ul class="intervals">${rows}<li class="scale" aria-hidden="true"><span></span><span class="ticks"><span>0</span><span>reward</span><span>1</span></span><span></span></li></ul>`,
  );
}

const STYLE = `
.ring { top: 50%; width: .72rem; height: .72rem; margin: -.36rem 0 0 -.36rem; border-radius: 50%; border: 2px solid var(--faint); background: var(--card); }
table { margin-top: 1rem; }
th, td { text-align: right; }
tr > :first-child { text-align: left; }
tbody th { font-weight: 400; color: var(--ink); }
`;
