import { drawBar, formatCount } from '../../base/screen/figures.ts';
import { toSnakeCase } from '../../base/snake-case.ts';
import { toVisibleLine, toVisibleWords } from '../../base/visible.ts';
import { envCompare, envEvaluate, envExplain, envList, envNew, envProcess, envServe, type ExplainedRun } from '../../commands/env.ts';
import type {
  Estimate,
  EvaluationProgress,
  EvaluationResult,
  ExplainedSetting,
  KeptBackReason,
  ProcessResult,
  RunComparison,
  ServeCounts,
  ServeProgress,
  ServeResult,
} from '../../contracts/services/environments.ts';
import { renderCommand, type RendererRow } from './renderer.ts';
import type { Streams } from '../../base/screen/streams.ts';

/** Columns of a bar. */
const BAR = 20;
const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;
const interval = ({ low, high }: Estimate): string => `95% interval ${percent(low)} to ${percent(high)}`;

function renderEvaluation({ out, figures, attempts: tries, resumed, isStopped }: EvaluationResult): string {
  const { passed, attempts, passRate, reward, errors, byCategory, byDifficulty, turns, tokensIn, tokensOut, metrics } = figures;
  const rows = (title: string, shares: Readonly<Record<string, Estimate>>): readonly string[] =>
    Object.keys(shares).length < 2
      ? []
      : [
          title,
          ...Object.entries(shares).map(
            ([name, share]) => `  ${drawBar(share.mean, BAR)} ${percent(share.mean).padStart(7)}  ${toVisibleLine(name)} (${share.count})`,
          ),
        ];
  return [
    `${passed} of ${formatCount(attempts, 'attempt')} passed: ${percent(passRate.mean)} (${interval(passRate)}). Mean reward ${reward.mean.toFixed(3)}.`,
    ...rows('By difficulty:', byDifficulty),
    ...rows('By category:', byCategory),
    ...Object.entries(metrics).map(([name, value]) => `${toVisibleLine(name)}: ${value.toFixed(3)}`),
    `${turns.toFixed(1)} model calls per attempt; ${tokensIn + tokensOut} tokens in all.`,
    ...(errors > 0
      ? [
          `${formatCount(errors, 'attempt')} could not be judged and ${errors === 1 ? 'counts as a failure' : 'count as failures'}: ${toVisibleWords(findUsualError(tries))}`,
        ]
      : []),
    ...(resumed > 0 ? [`${formatCount(resumed, 'attempt')} of an earlier run with the same settings counted.`] : []),
    ...(isStopped ? ['It was stopped before the end. The same command goes on with the rest.'] : []),
    `Results: ${toVisibleLine(out)}/metrics.json, samples.jsonl and report.html (open it in a browser)`,
    '',
  ].join('\n');
}

/** What most attempts broke by; the others are in `samples.jsonl`. */
function findUsualError(attempts: EvaluationResult['attempts']): string {
  const byWords = Map.groupBy(
    attempts.flatMap(({ error, reward }) => (error === undefined || reward > 0 ? [] : [error])),
    (words) => words,
  );
  const [usual] = [...byWords].toSorted(([, a], [, b]) => b.length - a.length);
  return `${usual?.[0] ?? ''}${byWords.size > 1 ? ' (and other reasons, in samples.jsonl)' : ''}`;
}

function renderProcess({ out, trajectories, passed, lost, resumed, isStopped }: ProcessResult): string {
  return [
    `${formatCount(trajectories, 'conversation')} in ${toVisibleLine(out)}; ${passed} passed.`,
    ...(lost > 0
      ? [`In ${lost} of them the model was not heard to its end: its server or its place failed. The same command makes these again.`]
      : []),
    ...(resumed > 0 ? [`${resumed} of them were there before.`] : []),
    ...(isStopped ? ['It was stopped before the end. The same command goes on with the rest.'] : []),
    '',
  ].join('\n');
}

function renderComparison({ tasks, difference, better, worse, onlyFirst, onlySecond, isClear, file }: RunComparison): string {
  if (tasks === 0)
    return 'The two runs have no task in common, so there is nothing to compare. Give the folders of two runs of the same environment.\n';
  const { mean, low, high } = difference;
  const points = (value: number): string => `${value >= 0 ? '+' : ''}${value.toFixed(3)}`;
  const found = mean === 0 ? 'the same' : `${Math.abs(mean).toFixed(3)} ${mean > 0 ? 'higher' : 'lower'} in the second run`;
  return [
    `Mean reward over ${formatCount(tasks, 'task')} that both runs tried: ${found} (95% interval of the difference: ${points(low)} to ${points(high)}).`,
    isClear
      ? 'The difference is clear: the interval does not include zero.'
      : `No clear difference: the interval includes zero${mean === 0 ? '' : ', so this may be chance'}.`,
    `Better: ${better.length}. Worse: ${worse.length}. The same: ${tasks - better.length - worse.length}.`,
    ...(worse.length > 0 ? [`Worse: ${worse.slice(0, 20).map(toVisibleLine).join(', ')}`] : []),
    ...(onlyFirst + onlySecond > 0 ? [`Left out: ${onlyFirst} only in the first run, ${onlySecond} only in the second.`] : []),
    ...(file === undefined ? [] : [`Wrote ${toVisibleLine(file)}. Open it in a browser.`]),
    '',
  ].join('\n');
}

function showProgress({ done, of, passed, running, last }: EvaluationProgress, { err }: Streams): void {
  const told =
    last === undefined
      ? ''
      : `  ${toVisibleLine(last.task)} ${last.attempt}: ${last.error === undefined ? `reward ${last.reward}` : toVisibleWords(last.error)}`;
  err(`${done}/${of}  passed ${passed}  running ${running}${told}\n`);
}

const KEPT_BACK: Readonly<Record<KeptBackReason, string>> = {
  unfit: 'without token ids',
  broken: 'the model or the place failed',
  split: 'more sequences than attempts',
  too_long: 'too long for the trainer',
  same_scores: 'all scores the same',
  refused: 'refused by the API',
};
const describeKeptBack = (counts: ServeCounts['keptBack']): readonly string[] =>
  REASONS.flatMap((reason) => (counts[reason] === undefined ? [] : [`${counts[reason]} ${KEPT_BACK[reason]}`]));
const REASONS = ['unfit', 'broken', 'split', 'too_long', 'same_scores', 'refused'] as const satisfies readonly KeptBackReason[];

const PHASES: Readonly<Record<ServeProgress['phase'], string>> = {
  waiting: 'waiting for the trainer',
  training: 'training',
  held: 'the trainer has enough',
  failing: 'the model fails; the next group waits',
  evaluating: 'evaluating',
};

function showServeProgress({ phase, step, totalSteps, running, counts, news }: ServeProgress, { err }: Streams): void {
  const { accepted, waiting, keptBack } = counts;
  const kept = describeKeptBack(keptBack);
  err(
    news !== undefined
      ? `${toVisibleLine(news)}\n`
      : `step ${step}${totalSteps < 0 ? '' : `/${totalSteps}`}  ${PHASES[phase]}  sent ${accepted}  to send ${waiting}  running ${running}${kept.length === 0 ? '' : `  kept back: ${kept.join(', ')}`}\n`,
  );
}

function renderServe({ out, step, counts, evaluations, isStopped }: ServeResult): string {
  const kept = describeKeptBack(counts.keptBack);
  return [
    `${formatCount(counts.accepted, 'group')} sent; the trainer is at step ${step}. ${formatCount(evaluations, 'evaluation')}.`,
    ...(kept.length > 0 ? [`Kept back, in ${toVisibleLine(out)}/kept-back.jsonl: ${kept.join(', ')}.`] : []),
    ...(counts.repeated > 0 ? [`${formatCount(counts.repeated, 'push', 'pushes')} had to be repeated because no answer came.`] : []),
    ...(isStopped
      ? [
          `It was stopped. ${formatCount(counts.waiting, 'finished group')} to send, and what was half done, are kept; the same command goes on.`,
        ]
      : []),
    `Metrics: ${toVisibleLine(out)}/metrics.jsonl`,
    '',
  ].join('\n');
}

const renderSettings = (rows: readonly ExplainedSetting[]): string =>
  rows
    .map(
      ({ key, value, from, description }) =>
        `${key} = ${toVisibleLine(JSON.stringify(value))}  (${from})\n${description === undefined ? '' : `    ${toVisibleWords(description)}\n`}`,
    )
    .join('');

/** `--explain` shows the settings of a run in place of its result. */
const unlessExplained =
  <Result extends object>(render: (result: Result) => string) =>
  (told: Result | ExplainedRun): string =>
    'settings' in told ? renderSettings(told.settings) : render(told);

export const ROWS: readonly RendererRow[] = [
  renderCommand(envList, {
    text: (rows) =>
      rows.map(({ name, description }) => `${name.padEnd(Math.max(...rows.map((row) => row.name.length)))}  ${description}\n`).join(''),
  }),
  renderCommand(envExplain, { text: renderSettings }),
  renderCommand(envEvaluate, {
    text: unlessExplained(renderEvaluation),
    json: (told) => {
      if ('settings' in told) return told.settings;
      const { attempts: _attempts, ...result } = told;
      return result;
    },
    progress: showProgress,
  }),
  renderCommand(envProcess, {
    text: unlessExplained(renderProcess),
    json: (told) => ('settings' in told ? told.settings : told),
    progress: showProgress,
  }),
  renderCommand(envServe, {
    text: unlessExplained(renderServe),
    json: (told) => ('settings' in told ? told.settings : told),
    progress: showServeProgress,
    jsonProgress: (progress) => `${JSON.stringify(toSnakeCase(progress))}\n`,
  }),
  renderCommand(envCompare, { text: renderComparison }),
  renderCommand(envNew, {
    text: ({ path }) => `Wrote ${toVisibleLine(path)}. Try it: hermes env evaluate ${toVisibleLine(path)}\n`,
  }),
];
