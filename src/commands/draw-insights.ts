import { drawBar, drawSparkline, formatCount, formatDollars, formatPercent, formatShort, formatWhole } from '../base/screen/figures.ts';
import type { Screen } from '../base/screen/screen.ts';
import { drawTable, type TableCell, type TableColumn } from '../base/screen/table.ts';
import { formatDuration, formatMoment } from '../base/screen/when.ts';
import { wrapText } from '../base/screen/wrap.ts';
import { toOneLine } from '../base/printable.ts';
import { padEndTo, padStartTo } from '../base/width.ts';
import { countTokens, mergeDays, sumReports, type Insights } from './insight-sums.ts';
import { describeEstimated, type CallSum } from './usage-sums.ts';

/** Wider lines are harder to read; a pipe has no width at all. */
const MAX_COLUMNS = 80;
/** Rows of a list; what is left out is told. */
const MAX_ROWS = 15;
const LABEL = 10;

/** The whole report in lines that fit the screen. */
export function drawInsights(found: Insights, screen: Screen): string {
  const fitted = { ...screen, columns: Math.min(screen.columns, MAX_COLUMNS) };
  const { paint } = screen;
  const head = [paint.strong(`Insights: ${describeDays(found)}`), paint.faint(describeStretch(found))];
  if (found.total.calls + found.sessions + found.turns === 0) return `${[...head, '', 'Nothing happened in this time.'].join('\n')}\n`;
  const sections = [drawTotals, drawDays, drawHours, drawModels, drawTools, drawExits, drawCompactions].map((draw) => draw(found, fitted));
  return `${[head, ...sections.filter((lines) => lines.length > 0)].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

export const describeDays = ({ days }: Pick<Insights, 'days'>): string =>
  days === undefined ? 'all days' : days === 1 ? 'today' : `the last ${days} days`;
export const describeStretch = ({ byDay }: Pick<Insights, 'byDay'>): string => {
  const [first, last] = [byDay[0]?.day ?? '', byDay.at(-1)?.day ?? ''];
  return first === last ? first : `${first} to ${last}`;
};

/** A known part is never passed off as the whole. */
export const describeCost = ({ calls, unpriced, knownCost }: CallSum): string =>
  unpriced === 0 ? formatDollars(knownCost) : unpriced === calls ? 'unknown' : `${formatDollars(knownCost)} + ?`;

type DrawSection = (found: Insights, screen: Screen) => string[];

const drawTotals: DrawSection = ({ total, sessions, turns, tools }, { paint, columns }) => {
  const toolCalls = tools.reduce((sum, { calls }) => sum + calls, 0);
  const figures: readonly (readonly [string, string])[] = [
    ['Sessions', formatWhole(sessions)],
    ['Turns', formatWhole(turns)],
    ['Model calls', formatWhole(total.calls)],
    ['Tool calls', formatWhole(toolCalls)],
    ['Tokens', formatShort(countTokens(total))],
    ['From cache', formatPercent(total.cacheShare)],
    ['Cost', describeCost(total)],
  ];
  const cells = figures.map(([name, value]) => `${paint.faint(padEndTo(name, 12))}${padStartTo(value, 12)}`);
  const each = columns >= 60 ? 2 : 1;
  const lines = Array.from({ length: Math.ceil(cells.length / each) }, (_, row) =>
    cells.slice(row * each, (row + 1) * each).join('      '),
  );
  const unpriced = total.unpriced === 0 ? [] : [`${formatCount(total.unpriced, 'call')} without a known price`];
  const estimated = total.estimated === 0 ? [] : [describeEstimated(total.estimated)];
  return [...lines, ...[...unpriced, ...estimated].flatMap((words) => wrapText(words, columns)).map(paint.warn)];
};

const drawDays: DrawSection = ({ byDay }, { paint, columns }) => {
  if (byDay.length < 2) return [];
  const rows = [
    ['Tokens', byDay.map(({ sum }) => countTokens(sum)), formatShort],
    ['Cost', byDay.map(({ sum }) => sum.knownCost), formatDollars],
    ['Turns', byDay.map(({ turns }) => turns), formatWhole],
    ['Sessions', byDay.map(({ sessions }) => sessions), formatWhole],
  ] as const;
  const room = columns - LABEL;
  const lines = rows.map(([name, values, format]) => {
    const spark = drawSparkline(values, room);
    const peak = describePeak(byDay, values, format);
    const beside = peak !== '' && spark.length + peak.length + 2 <= room ? paint.faint(`  ${peak}`) : '';
    return `${paint.faint(padEndTo(name, LABEL))}${paint.accent(spark)}${beside}`;
  });
  // A share of several days is that of all their tokens, and a full column is all of them.
  const shares = mergeDays(byDay, Math.ceil(byDay.length / room)).map(({ sum }) => sum.cacheShare ?? 0);
  const share = drawSparkline(shares, room, 1);
  return [paint.strong('Day by day'), ...lines, `${paint.faint(padEndTo('Cache', LABEL))}${paint.good(share)}`];
};

function describePeak(byDay: Insights['byDay'], values: readonly number[], format: (value: number) => string): string {
  const most = Math.max(...values);
  return most === 0 ? '' : `most ${format(most)} on ${byDay[values.indexOf(most)]?.day ?? ''}`;
}

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

const drawHours: DrawSection = ({ byHour, total }, { paint }) => {
  if (total.calls === 0) return [];
  const hours = Array.from({ length: 24 }, (_, hour) => byHour.reduce((sum, day) => sum + (day[hour] ?? 0), 0));
  const days = byHour.map((day) => day.reduce((sum, calls) => sum + calls, 0));
  const [hour, day] = [hours.indexOf(Math.max(...hours)), days.indexOf(Math.max(...days))];
  return [
    paint.strong('Busiest hours'),
    `${paint.faint(padEndTo('Hour', LABEL))}${paint.accent(drawSparkline(hours, 24))}`,
    `${' '.repeat(LABEL)}${paint.faint('0     6     12    18')}`,
    `${paint.faint(padEndTo('Weekday', LABEL))}${paint.accent(drawSparkline(days, 7))}  ${paint.faint(`most ${WEEKDAYS[day]} and ${hour}:00`)}`,
  ];
};

const drawModels: DrawSection = ({ models, failures }, screen) => {
  if (models.length === 0) return [];
  const columns: TableColumn[] = [
    { heading: 'model', flexible: true },
    { heading: 'tokens', align: 'right' },
    { heading: 'cost', align: 'right' },
    { heading: 'calls', align: 'right', optional: true },
    { heading: 'cache', align: 'right', optional: true },
    { heading: 'failed', align: 'right', optional: true },
    { heading: 'mean', align: 'right', optional: true },
  ];
  const rows = models
    .slice(0, MAX_ROWS)
    .map(({ provider, model, purpose, sum, ms, failed }) => [
      { text: toOneLine(`${provider} ${model}${purpose === undefined ? '' : ` (${purpose})`}`), paint: screen.paint.accent },
      formatShort(countTokens(sum)),
      describeCost(sum),
      formatWhole(sum.calls),
      formatPercent(sum.cacheShare),
      failedCell(failed, screen),
      formatDuration(ms / sum.calls),
    ]);
  const failed = failures.map(({ result, calls }) => `${toOneLine(result).replaceAll('_', ' ')} ${formatWhole(calls)}`);
  const lines = failed.length === 0 ? [] : wrapList(`Failed calls: ${failed.join(', ')}`, screen);
  return [screen.paint.strong('Models'), ...drawTable(columns, rows, screen), ...tellRest(models.length, 'model', screen), ...lines];
};

const failedCell = (failed: number, { paint }: Screen): TableCell => ({
  text: failed === 0 ? '' : formatWhole(failed),
  paint: paint.bad,
});

const drawTools: DrawSection = ({ tools }, screen) => {
  if (tools.length === 0) return [];
  const most = Math.max(...tools.map(({ calls }) => calls));
  const columns: TableColumn[] = [
    { heading: 'tool', flexible: true },
    { heading: '' },
    { heading: 'calls', align: 'right' },
    { heading: 'failed', align: 'right', optional: true },
    { heading: 'mean', align: 'right', optional: true },
    { heading: 'in all', align: 'right', optional: true },
  ];
  const rows = tools
    .slice(0, MAX_ROWS)
    .map(({ name, calls, failed, timed, ms }) => [
      { text: toOneLine(name), paint: screen.paint.accent },
      { text: drawBar(calls / most, 10), paint: screen.paint.good },
      formatWhole(calls),
      failedCell(failed, screen),
      timed === 0 ? '–' : formatDuration(ms / timed),
      timed === 0 ? '–' : formatDuration(ms),
    ]);
  return [screen.paint.strong('Tools'), ...drawTable(columns, rows, screen), ...tellRest(tools.length, 'tool', screen)];
};

const drawExits: DrawSection = ({ exits, turns }, screen) => {
  if (exits.length === 0) return [];
  const columns: TableColumn[] = [
    { heading: 'turn ended', flexible: true },
    { heading: '' },
    { heading: 'turns', align: 'right' },
    { heading: 'share', align: 'right', optional: true },
  ];
  const rows = exits.map(({ reason, turns: count }) => [
    toOneLine(reason).replaceAll('_', ' '),
    { text: drawBar(count / turns, 10), paint: reason === 'answered' ? screen.paint.good : screen.paint.warn },
    formatWhole(count),
    formatPercent(count / turns),
  ]);
  return [screen.paint.strong('How turns ended'), ...drawTable(columns, rows, screen)];
};

const drawCompactions: DrawSection = ({ compactions }, screen) => {
  if (compactions.length === 0) return [];
  const { done, refused, saved } = sumReports(compactions);
  const columns: TableColumn[] = [
    { heading: 'when' },
    { heading: 'tokens', align: 'right' },
    { heading: 'messages', align: 'right', optional: true },
    { heading: 'took', align: 'right', optional: true },
    { heading: 'by', optional: true },
  ];
  const rows = compactions
    .slice(-MAX_ROWS)
    .map((report) => [
      formatMoment(report.at).slice(screen.columns < 60 ? 5 : 0),
      report.outcome === 'refused'
        ? { text: 'refused', paint: screen.paint.warn }
        : `${formatShort(report.tokensBefore)} → ${formatShort(report.tokensAfter)}`,
      `${report.messagesBefore} → ${report.messagesAfter}`,
      formatDuration(report.ms),
      toOneLine(report.model ?? report.engine),
    ]);
  const sum = `${formatWhole(done)} done, ${formatWhole(refused)} refused, ${formatShort(saved)} tokens saved`;
  return [
    screen.paint.strong('Compactions'),
    ...wrapList(sum, screen),
    ...tellRest(compactions.length, 'earlier compaction', screen),
    ...drawTable(columns, rows, screen),
  ];
};

const tellRest = (all: number, one: string, { paint }: Screen): string[] =>
  all > MAX_ROWS ? [paint.faint(`… and ${formatCount(all - MAX_ROWS, `more ${one}`.replace('more earlier', 'earlier'))}`)] : [];

const wrapList = (words: string, { paint, columns }: Screen): string[] => wrapText(words, columns).map(paint.faint);
