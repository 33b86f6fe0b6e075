import { drawBar, drawSparkline, formatCount, formatPercent, formatShort, formatWhole } from '../../base/screen/figures.ts';
import type { Screen } from '../../base/screen/screen.ts';
import type { Streams } from '../../base/screen/streams.ts';
import { drawTable } from '../../base/screen/table.ts';
import { formatDuration } from '../../base/screen/when.ts';
import { toVisibleLine, toVisibleWords } from '../../base/visible.ts';
import { batchCompress, batchDistributions, batchExport, batchRun, batchStats } from '../../commands/batch.ts';
import type {
  BatchProgress,
  BatchResult,
  CompressionProgress,
  CompressionResult,
  DistributionRow,
  ExportResult,
  Spread,
  TrajectoryStatistics,
} from '../../contracts/services/batches.ts';
import { renderCommand, type RendererRow } from './renderer.ts';

const BAR = 20;

function drawRun(
  { out, prompts, kept, dropped, resumed, skipped, tokensIn, tokensOut, seconds, isStopped }: BatchResult,
  { paint }: Screen,
): string {
  const reasons = Object.entries(dropped).filter(([, count]) => count > 0);
  return [
    `${paint.strong(formatCount(kept, 'conversation'))} of ${formatCount(prompts, 'prompt')} kept in ${toVisibleLine(out)}/trajectories.jsonl.`,
    ...reasons.map(
      ([name, count]) => `  ${paint.warn(drawBar(count / prompts, BAR))} ${formatWhole(count)} dropped: ${name.replaceAll('_', ' ')}`,
    ),
    ...(dropped['no_reasoning'] === undefined || dropped['no_reasoning'] < prompts
      ? []
      : ['No conversation has reasoning. To keep them all the same: --keep no_reasoning']),
    `${formatShort(tokensIn)} tokens in, ${formatShort(tokensOut)} out; ${formatDuration(seconds * 1_000)}.`,
    ...(resumed > 0 ? [`${formatWhole(resumed)} were there from an earlier run.`] : []),
    ...skipped.slice(0, 5).map(({ line, why }) => paint.warn(`Line ${line} was skipped: ${why}.`)),
    ...(skipped.length > 5 ? [paint.warn(`${formatCount(skipped.length - 5, 'more line')} skipped.`)] : []),
    ...((dropped['error'] ?? 0) > 0 ? ['What failed is tried again by the same command; the reasons are in rows.jsonl.'] : []),
    ...(isStopped ? ['It was stopped before the end. The same command goes on with the rest.'] : []),
    '',
  ].join('\n');
}

const drawSpread = (name: string, { mean, median, least, most }: Spread, format: (value: number) => string): readonly string[] => [
  name,
  ...[mean, median, least, most].map(format),
];

function drawStatistics(found: TrajectoryStatistics, screen: Screen): string {
  const { paint } = screen;
  const { trajectories, unreadable, duplicates, completed, assistantTurns, turnsWithReasoning, tools, toolsets, models } = found;
  if (trajectories === 0) return `${toVisibleLine(found.file)} has no conversations.\n`;
  const share = (name: string, part: number, whole: number): readonly [string, string, string] => [
    name,
    drawBar(whole === 0 ? 0 : part / whole, BAR),
    `${formatPercent(whole === 0 ? undefined : part / whole)}  ${formatWhole(part)} of ${formatWhole(whole)}`,
  ];
  const most = Math.max(1, ...Object.values(tools).map(({ count }) => count));
  const right = (heading: string) => ({ heading, align: 'right' as const });
  const drawn =
    Object.values(toolsets).length === 0
      ? []
      : [
          '',
          ...drawTable(
            [{ heading: 'toolset' }, { heading: '' }, right('conversations')],
            Object.entries(toolsets).map(([name, count]) => [
              { text: toVisibleLine(name), paint: paint.accent },
              drawBar(count / trajectories, BAR),
              formatWhole(count),
            ]),
            screen,
          ),
        ];
  return [
    `${paint.strong(formatCount(trajectories, 'conversation'))} in ${toVisibleLine(found.file)}${Object.keys(models).length === 0 ? '' : ` by ${Object.keys(models).map(toVisibleLine).join(', ')}`}`,
    '',
    ...drawTable(
      [{ heading: '' }, { heading: '' }, { heading: '' }],
      [share('finished', completed, trajectories), share('reasoning in turns', turnsWithReasoning, assistantTurns)].map((row) =>
        row.map((text, index) => ({ text, ...(index === 1 && { paint: paint.good }) })),
      ),
      screen,
    ).slice(1),
    '',
    ...drawTable(
      [{ heading: 'per conversation' }, right('mean'), right('median'), right('least'), right('most')],
      [
        drawSpread('turns', found.turns, (value) => value.toFixed(Number.isInteger(value) ? 0 : 1)),
        drawSpread('tokens, about', found.tokens, formatShort),
        ...(found.rewards === undefined ? [] : [drawSpread('reward', found.rewards, (value) => value.toFixed(2))]),
      ],
      screen,
    ),
    `lengths  ${paint.good(drawSparkline(found.tokenBins, found.tokenBins.length))}  0 to ${formatShort(found.tokens.most)} tokens`,
    ...(Object.keys(tools).length === 0
      ? []
      : [
          '',
          ...drawTable(
            [{ heading: 'tool' }, { heading: '' }, right('calls'), right('failed')],
            Object.entries(tools).map(([name, { count, failure }]) => [
              { text: toVisibleLine(name), paint: paint.accent },
              drawBar(count / most, BAR),
              formatWhole(count),
              { text: failure === 0 ? '' : formatWhole(failure), paint: paint.bad },
            ]),
            screen,
          ),
        ]),
    ...drawn,
    ...(duplicates > 0 ? ['', paint.warn(`${formatCount(duplicates, 'conversation')} with a prompt that another has too`)] : []),
    ...(unreadable > 0 ? ['', paint.warn(`${formatCount(unreadable, 'line')} could not be read as a conversation`)] : []),
    '',
  ].join('\n');
}

const drawDistributions = (rows: readonly DistributionRow[], { paint }: Screen): string =>
  rows
    .map(
      ({ name, toolsets }) =>
        `${paint.accent(name.padEnd(15))} ${Object.entries(toolsets)
          .map(([set, percent]) => `${set} ${percent}`)
          .join(', ')}\n`,
    )
    .join('');

function drawCompression(result: CompressionResult, { paint }: Screen): string {
  const {
    out,
    trajectories,
    untouched,
    clipped,
    summarizedByModel,
    summarizedByRules,
    stillOver,
    tokensBefore,
    tokensAfter,
    turnsRemoved,
    modelFailures,
    unreadable,
    isStopped,
  } = result;
  if (isStopped) return 'It was stopped. No file was written.\n';
  const rows: readonly (readonly [string, number])[] = [
    ['within the budget as they were', untouched],
    ['long results cut', clipped],
    ['older turns summarized by a model', summarizedByModel],
    ['older turns listed by rules', summarizedByRules],
  ];
  return [
    `${paint.strong(formatCount(trajectories, 'conversation'))}: about ${formatShort(tokensBefore)} tokens before, ${formatShort(tokensAfter)} after${tokensBefore === 0 ? '' : ` (${formatPercent(tokensAfter / tokensBefore)})`}.`,
    ...rows
      .filter(([, count]) => count > 0)
      .map(([words, count]) => `  ${paint.good(drawBar(count / Math.max(1, trajectories), BAR))} ${formatWhole(count)} ${words}`),
    `${formatCount(turnsRemoved, 'turn')} fewer. No result is without its call.`,
    ...(stillOver > 0
      ? [
          paint.warn(
            `${formatCount(stillOver, 'conversation')} longer than the budget even so: the first and last turns are protected. Raise --tokens or lower --last-turns.`,
          ),
        ]
      : []),
    ...(modelFailures > 0 ? [paint.warn(`The model failed ${formatCount(modelFailures, 'time')}; rules wrote these summaries.`)] : []),
    ...(unreadable > 0 ? [paint.warn(`${formatCount(unreadable, 'line')} left out: no conversation in the ShareGPT form.`)] : []),
    `Wrote ${toVisibleLine(out)}.`,
    '',
  ].join('\n');
}

const drawExport = ({ out, format, lines, dropped }: ExportResult, { paint }: Screen): string =>
  [
    `Wrote ${formatCount(lines, format === 'sft' ? 'conversation' : 'pair')} to ${toVisibleLine(out)}.`,
    ...Object.entries(dropped).map(([why, count]) => paint.warn(`${formatWhole(count)} left out: ${why}.`)),
    ...(format === 'dpo' && lines === 0 ? ['Pairs are made of scored attempts at the same task: hermes env process NAME'] : []),
    '',
  ].join('\n');

function showRunProgress({ done, of, kept, failed, running, last }: BatchProgress, { err }: Streams): void {
  const told = last === undefined ? '' : `  #${last.index}: ${toVisibleWords(last.words)}`;
  err(
    `${drawBar(of === 0 ? 0 : done / of, BAR)} ${done}/${of}  kept ${kept}${failed > 0 ? `  failed ${failed}` : ''}  running ${running}${told}\n`,
  );
}
const showCompressProgress = ({ done, of, compressed }: CompressionProgress, { err }: Streams): void =>
  done % 80 === 0 || done === of ? err(`${drawBar(done / of, BAR)} ${done}/${of}  compressed ${compressed}\n`) : undefined;

export const ROWS: readonly RendererRow[] = [
  renderCommand(batchRun, { text: drawRun, progress: showRunProgress }),
  renderCommand(batchDistributions, { text: drawDistributions }),
  renderCommand(batchStats, { text: drawStatistics }),
  renderCommand(batchCompress, { text: drawCompression, progress: showCompressProgress }),
  renderCommand(batchExport, { text: drawExport }),
];
