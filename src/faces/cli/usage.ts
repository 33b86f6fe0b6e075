import type { CacheFinding } from '../../contracts/services/insight.ts';
import { toOneLine } from '../../base/printable.ts';
import { usage, type DatedReport, type ModelSum, type UsageSummary } from '../../commands/usage.ts';
import type { CompactionReport } from '../../contracts/entry.ts';
import type { CallRecord } from '../../contracts/ledger.ts';
import { drawBar, formatCount, formatDollars, formatPercent, formatWhole } from '../../base/screen/figures.ts';
import { describeCompaction } from '../../commands/describe.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { drawTable, type TableCell, type TableColumn } from '../../base/screen/table.ts';
import { describeEstimated, groupCallsBy, sumCallUsage, type CallSum } from '../../commands/usage-sums.ts';
import { drawExplained, toExplainedJson } from './explain.ts';
import { renderCommand, type RendererRow } from './renderer.ts';
import { toUsageJson } from './usage-json.ts';
import { formatClockTime, formatDay } from '../../base/screen/when.ts';

const FIGURES: readonly TableColumn[] = ['calls', 'input', 'output', 'cache read', 'cache write', 'reasoning', 'cache share', 'cost'].map(
  (heading) => ({ heading, align: 'right' }),
);
const nameOf = ({ provider, model, purpose }: ModelSum): string => `${provider} ${model}${purpose === undefined ? '' : ` (${purpose})`}`;

export function drawUsage(view: UsageSummary, screen: Screen): string {
  const { session, days, total, models, childTotal } = view;
  const about =
    session === undefined ? (days === undefined ? 'all days' : days === 1 ? 'today' : `the last ${days} days`) : `session ${session.id}`;
  if (total.calls === 0) return `No model was called in ${about}.\n`;
  const rows = models.map((each) => [{ text: toOneLine(nameOf(each)), paint: screen.paint.accent }, ...figures(each.sum, screen)]);
  const theirs = childTotal === undefined ? [] : [[{ text: 'children', paint: screen.paint.accent }, ...figures(childTotal.sum, screen)]];
  const sum = [{ text: 'total', paint: screen.paint.strong }, ...figures(total, screen)];
  const lines = drawTable([{ heading: 'model', flexible: true }, ...FIGURES], [...rows, ...theirs, sum], screen);
  return `${[screen.paint.strong(`Usage of ${about}`), '', ...lines, ...unpricedNote(total, screen), ...estimatedNote(total, screen), ...totalLine(view, screen), '', ...chart(view, screen)].join('\n')}\n`;
}

function figures(sum: CallSum, { paint }: Screen): (string | TableCell)[] {
  const { input, output, cacheRead, cacheWrite, reasoning } = sum.usage;
  return [
    formatWhole(sum.calls),
    ...[input, output, cacheRead, cacheWrite, reasoning].map(formatWhole),
    { text: formatPercent(sum.cacheShare), paint: paint.good },
    costOf(sum),
  ];
}

/** A known part is never passed off as the whole. */
const costOf = ({ calls, unpriced, knownCost }: CallSum): string =>
  unpriced === 0 ? formatDollars(knownCost) : unpriced === calls ? 'unknown' : `${formatDollars(knownCost)} + ?`;

const estimatedNote = ({ estimated }: CallSum, { paint }: Screen): string[] =>
  estimated === 0 ? [] : [paint.warn(describeEstimated(estimated))];

const unpricedNote = ({ unpriced, knownCost, calls }: CallSum, { paint }: Screen): string[] => {
  if (unpriced === 0) return [];
  const rest = unpriced === calls ? '' : ` beside the known ${formatDollars(knownCost)}`;
  return [paint.warn(`${formatCount(unpriced, 'call')} without a known price${rest}`)];
};

const BAR = 20;
/** Bars shown; a longer history is told, not drawn. */
const MOST = 31;

/** The cache share and the cost of each day, or of each session when all was on one day, or of each call of a session. */
function chart({ calls, session, findings, compactions }: UsageSummary, screen: Screen): string[] {
  if (session !== undefined) return [...callChart(calls, findings ?? [], screen), ...compactionLines(compactions ?? [], screen)];
  const byDay = groupCallsBy(calls, (call) => formatDay(call.at));
  const [unit, groups] = byDay.size > 1 ? (['day', byDay] as const) : (['session', groupCallsBy(calls, (call) => call.sessionId)] as const);
  const sums = [...groups].map(([name, group]) => [name, sumCallUsage(group)] as const);
  const dearest = Math.max(...sums.map(([, { knownCost }]) => knownCost));
  const rows = sums
    .slice(-MOST)
    .map(([name, sum]) => [name, ...shareBar(sum.cacheShare, screen), ...costBar(sum, dearest, screen), formatWhole(sum.calls)]);
  const columns: TableColumn[] = [
    { heading: unit },
    { heading: 'cache share' },
    { heading: '', align: 'right' },
    { heading: 'cost' },
    { heading: '', align: 'right' },
    { heading: 'calls', align: 'right' },
  ];
  return [...leftOut(sums.length, unit, screen), ...drawTable(columns, rows, screen)];
}

/** What compactions came to, where they are too many to be listed. */
function totalLine({ session, compactionTotal: { done, refused, tokensSaved, spent } }: UsageSummary, { paint }: Screen): string[] {
  if (session !== undefined || done + refused + spent.calls === 0) return [];
  const cost = spent.calls === 0 ? 'no model was asked' : `${formatCount(spent.calls, 'call')} for notes, ${costOf(spent)}`;
  return [
    '',
    `${paint.strong('Compactions')}  ${formatWhole(done)} done, ${formatWhole(refused)} refused; ${formatWhole(tokensSaved)} tokens saved; ${cost}`,
  ];
}

/** Each compaction with what it saved and cost. */
function compactionLines(compactions: readonly DatedReport[], { paint }: Screen): string[] {
  if (compactions.length === 0) return [];
  const lines = compactions.map((report) => {
    const cost = report.price === undefined ? '' : `, ${formatDollars(report.price)}`;
    const by = report.model === undefined ? report.engine : toOneLine(report.model);
    const tint = report.outcome === 'refused' ? paint.warn : paint.good;
    return `  ${formatClockTime(report.at)}  ${tint(outcomeWords(report))}  ${describeCompaction(report)} (${report.reason}, by ${by}, ${formatWhole(report.ms)} ms${cost})`;
  });
  return ['', paint.strong('Compactions'), ...lines];
}

/** What came of it; earlier versions stored no kind. */
function outcomeWords({ outcome, kind }: CompactionReport): string {
  if (kind === undefined || kind === outcome) return outcome;
  // Engines of others write reports too.
  const words = toOneLine(kind.replaceAll('_', ' '));
  return outcome === 'refused' ? `refused, ${words}` : words;
}

function callChart(calls: readonly CallRecord[], findings: readonly CacheFinding[], screen: Screen): string[] {
  const rows = calls.map((call, index) => {
    const sum = sumCallUsage([call]);
    const finding = findings[index];
    const missed = finding !== undefined && finding.cause !== 'cache_used';
    return [
      { text: call.id, paint: screen.paint.accent },
      formatClockTime(call.at),
      ...shareBar(sum.cacheShare, screen),
      ...[call.usage.cacheRead, call.usage.cacheWrite, call.usage.input].map(formatWhole),
      costOf(sum),
      { text: finding?.words ?? '', ...(missed && { paint: screen.paint.faint }) },
    ];
  });
  const columns: TableColumn[] = [
    { heading: 'call' },
    { heading: 'at' },
    { heading: 'cache share' },
    { heading: '', align: 'right' },
    { heading: 'cached', align: 'right' },
    { heading: 'written', align: 'right' },
    { heading: 'fresh', align: 'right' },
    { heading: 'cost', align: 'right' },
    { heading: 'why', flexible: true },
  ];
  const example = calls.at(-1)?.id;
  return [
    ...leftOut(calls.length, 'call', screen),
    ...drawTable(columns, rows.slice(-MOST), screen),
    '',
    screen.paint.faint(`More on one: hermes usage --explain ${example ?? 'CALL'}`),
  ];
}

const shareBar = (share: number | undefined, { paint }: Screen): TableCell[] => [
  { text: drawBar(share ?? 0, BAR), paint: paint.good },
  { text: formatPercent(share) },
];
const costBar = (sum: CallSum, dearest: number, { paint }: Screen): TableCell[] => [
  { text: dearest === 0 ? '' : drawBar(sum.knownCost / dearest, BAR / 2), paint: paint.warn },
  { text: costOf(sum) },
];
const leftOut = (all: number, unit: string, { paint }: Screen): string[] =>
  all > MOST ? [paint.faint(`… ${formatCount(all - MOST, `earlier ${unit}`)} not drawn`)] : [];

export const ROWS: readonly RendererRow[] = [
  renderCommand(usage, {
    text: (result, screen) => ('usage' in result ? drawUsage(result.usage, screen) : drawExplained(result.explained, screen)),
    json: (result) => ('usage' in result ? toUsageJson(result.usage) : toExplainedJson(result.explained)),
  }),
];
