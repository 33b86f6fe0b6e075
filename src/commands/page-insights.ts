import { formatCount, formatDollars, formatPercent, formatShort, formatWhole } from '../base/screen/figures.ts';
import { formatDuration, formatMoment } from '../base/screen/when.ts';
import type { StoredCompactionReport } from '../contracts/session-store.ts';
import { describeCost, describeDays, describeStretch, WEEKDAYS } from './draw-insights.ts';
import { countTokens, mergeDays, sumReports, type DayInsight, type Insights } from './insight-sums.ts';
import { plotFigure, plotShare, plotTokens, type SpanFigure } from './page-days.ts';
import { markup, type Markup, type MarkupPart } from './page-markup.ts';
import { createPage } from './page-shell.ts';
import { drawColumns, drawHeatMap, drawShare, PLOT_STYLE } from './page-plots.ts';
import { drawFolded, drawHtmlTable, type TableRow } from './page-tables.ts';

/** More columns than this are too thin to point at: then each stands for a week. */
const MAX_COLUMNS = 120;

/** Everything `hermes insights` shows, as one page with plots. */
export function createInsightsPage(found: Insights): string {
  const title = `Hermes insights: ${describeDays(found)}`;
  const sections = [drawTotals, drawDays, drawHours, drawModels, drawTools, drawExits, drawCompactions].map((draw) => draw(found));
  const body = markup`<header>
      <h1>${title}</h1>
      <p class="faint">
        ${describeStretch(found)}, made ${formatMoment(found.now)}. Point at a shape for its figures; every plot has a table.
      </p>
    </header>
    <main>${sections}</main>`;
  return createPage({ title, style: PLOT_STYLE + STYLE, body });
}

const section = (title: string, ...content: readonly MarkupPart[]): Markup =>
  markup`<section>
    <h2>${title}</h2>
    ${content}
  </section>`;

function drawTotals({ total, sessions, turns, tools, sources }: Insights): Markup {
  const { input, output, cacheRead, cacheWrite, reasoning } = total.usage;
  const figures: readonly (readonly [string, string, string])[] = [
    ['Sessions', formatWhole(sessions), sources.map(({ source, sessions: count }) => `${source} ${formatWhole(count)}`).join(', ')],
    ['Turns', formatWhole(turns), ''],
    [
      'Model calls',
      formatWhole(total.calls),
      total.estimated === 0 ? '' : `${formatWhole(total.estimated)} not fully counted by the server`,
    ],
    ['Tool calls', formatWhole(tools.reduce((sum, { calls }) => sum + calls, 0)), ''],
    [
      'Tokens',
      formatShort(countTokens(total)),
      `${formatShort(input + cacheRead + cacheWrite)} in, ${formatShort(output)} out, ${formatShort(reasoning)} of it reasoning`,
    ],
    ['From cache', formatPercent(total.cacheShare), `${formatShort(cacheRead)} of the tokens that went in`],
    ['Cost', describeCost(total), total.unpriced === 0 ? '' : `${formatCount(total.unpriced, 'call')} without a known price`],
  ];
  const cards = figures.map(
    ([name, value, note]) =>
      markup`<div>
        <dt>${name}</dt>
        <dd><strong>${value}</strong><small>${note}</small></dd>
      </div>`,
  );
  return markup`<dl class="cards">${cards}</dl>`;
}

const FIGURES: readonly SpanFigure[] = [
  { name: 'Cost', color: 'three', valueOf: ({ sum }) => sum.knownCost, format: formatDollars },
  { name: 'Sessions', color: 'one', valueOf: ({ sessions }) => sessions, format: formatWhole },
  { name: 'Turns', color: 'four', valueOf: ({ turns }) => turns, format: formatWhole },
];

function drawDays({ byDay }: Insights): Markup | undefined {
  if (byDay.length < 2) return undefined;
  const each = byDay.length > MAX_COLUMNS ? 7 : 1;
  const spans = mergeDays(byDay, each);
  const unit = each === 1 ? 'day' : 'week';
  return section(
    each === 1 ? 'Day by day' : 'Week by week',
    markup`<div class="plots">
      ${plotTokens(spans, unit)}${plotShare(spans, unit)}${FIGURES.map((figure) => plotFigure(spans, unit, figure))}
    </div>`,
    drawFolded('Show the figures', dayTable(spans)),
  );
}

const dayTable = (spans: readonly DayInsight[]): Markup =>
  drawHtmlTable(
    ['Day', 'Sessions', 'Turns', 'Calls', 'Tokens', 'Read from cache', 'Cost'],
    spans.map(({ day, sum, sessions, turns }) => [
      day,
      ...[sessions, turns, sum.calls, countTokens(sum)].map(formatWhole),
      formatPercent(sum.cacheShare),
      sum.calls === 0 ? '' : describeCost(sum),
    ]),
  );

function drawHours({ byHour, total }: Insights): Markup | undefined {
  if (total.calls === 0) return undefined;
  const rows = byHour.map((values, day) => ({ name: WEEKDAYS[day] ?? '', values }));
  const most = Math.max(...byHour.flat());
  const [day, hour] = [
    byHour.findIndex((values) => values.includes(most)),
    byHour.find((values) => values.includes(most))?.indexOf(most) ?? 0,
  ];
  const plot = drawHeatMap({
    title: 'Model calls by weekday and hour',
    summary: `Model calls by weekday and hour; most, ${formatWhole(most)}, on ${WEEKDAYS[day]} from ${hour}:00`,
    rows,
    describe: (name, column, value) => `${name} ${column}:00 to ${column + 1}:00: ${formatCount(value, 'call')}`,
    marks: ['0', '6', '12', '18'],
  });
  const hours = Array.from({ length: 24 }, (_, index) => String(index));
  return section(
    'Busiest hours',
    plot,
    drawFolded(
      'Show the figures',
      drawHtmlTable(
        ['', ...hours],
        rows.map(({ name, values }) => [name, ...values]),
      ),
    ),
  );
}

function drawModels({ models, failures }: Insights): Markup | undefined {
  if (models.length === 0) return undefined;
  const most = Math.max(...models.map(({ sum }) => countTokens(sum)));
  const rows = models.map(({ provider, model, purpose, sum, ms, failed }): TableRow => [
    `${provider} ${model}${purpose === undefined ? '' : ` (${purpose})`}`,
    drawShare(most === 0 ? 0 : countTokens(sum) / most, 'one'),
    formatShort(countTokens(sum)),
    formatWhole(sum.calls),
    failed === 0 ? '' : markup`<span class="bad">${formatWhole(failed)}</span>`,
    formatPercent(sum.cacheShare),
    describeCost(sum),
    formatDuration(ms / sum.calls),
  ]);
  const failed = failures.map(({ result, calls }) => `${result.replaceAll('_', ' ')} ${formatWhole(calls)}`).join(', ');
  return section(
    'Models and providers',
    drawHtmlTable(['Model', '', 'Tokens', 'Calls', 'Failed', 'From cache', 'Cost', 'Mean time'], rows),
    failed === '' ? undefined : markup`<p class="faint">Failed calls: ${failed}</p>`,
  );
}

function drawTools({ tools }: Insights): Markup | undefined {
  if (tools.length === 0) return undefined;
  const most = Math.max(...tools.map(({ calls }) => calls));
  const rows = tools.map(({ name, calls, failed, timed, ms }): TableRow => [
    name,
    drawShare(calls / most, 'four'),
    formatWhole(calls),
    failed === 0 ? '' : markup`<span class="bad">${formatWhole(failed)} (${formatPercent(failed / calls)})</span>`,
    timed === 0 ? '–' : formatDuration(ms / timed),
    timed === 0 ? '–' : formatDuration(ms),
  ]);
  return section('Tools', drawHtmlTable(['Tool', '', 'Calls', 'Failed', 'Mean time', 'Time in all'], rows));
}

function drawExits({ exits, turns }: Insights): Markup | undefined {
  if (exits.length === 0) return undefined;
  const rows = exits.map(({ reason, turns: count }): TableRow => [
    reason.replaceAll('_', ' '),
    drawShare(count / turns, reason === 'answered' ? 'four' : 'three'),
    formatWhole(count),
    formatPercent(count / turns),
  ]);
  return section('How turns ended', drawHtmlTable(['Reason', '', 'Turns', 'Share'], rows));
}

function drawCompactions({ compactions }: Insights): Markup | undefined {
  if (compactions.length === 0) return undefined;
  const { done, refused, saved } = sumReports(compactions);
  const summary = `${formatWhole(done)} done, ${formatWhole(refused)} refused, ${formatShort(saved)} tokens saved`;
  const most = Math.max(...compactions.map(({ tokensBefore, tokensAfter }) => Math.max(tokensBefore, tokensAfter)));
  const plot = drawColumns({
    title: 'Tokens in view, before and after each compaction',
    summary: `Compactions over time: ${summary}`,
    colors: ['one', 'rest'],
    names: ['after', 'taken out'],
    most,
    mostLabel: formatShort(most),
    columns: compactions.slice(-MAX_COLUMNS).map((report) => ({
      label: formatMoment(report.at),
      parts: [report.tokensAfter, Math.max(0, report.tokensBefore - report.tokensAfter)],
      title: describeReport(report),
    })),
  });
  const rows = compactions.map((report): TableRow => [
    formatMoment(report.at),
    report.sessionId,
    report.outcome === 'refused' ? markup`<span class="bad">refused</span>` : report.outcome,
    `${report.messagesBefore} → ${report.messagesAfter}`,
    `${formatWhole(report.tokensBefore)} → ${formatWhole(report.tokensAfter)}`,
    formatDuration(report.ms),
    report.model ?? report.engine,
  ]);
  return section(
    'Compactions',
    markup`<p class="faint">${summary}</p>`,
    plot,
    drawFolded('Show the figures', drawHtmlTable(['When', 'Session', 'Outcome', 'Messages', 'Tokens', 'Took', 'By'], rows)),
  );
}

const describeReport = (report: StoredCompactionReport): string =>
  `${formatMoment(report.at)}: ${report.outcome}, ${formatWhole(report.tokensBefore)} → ${formatWhole(report.tokensAfter)} tokens, ${report.messagesBefore} → ${report.messagesAfter} messages, ${formatDuration(report.ms)}, by ${report.model ?? report.engine}`;

const STYLE = `
section, .cards { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem; margin: 1rem 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(6.9rem, 1fr)); gap: 1rem .75rem; }
.cards dt { color: var(--faint); font-size: .85rem; }
.cards dd { margin: 0; }
.cards strong { display: block; font-size: 1.45rem; font-weight: 650; line-height: 1.3; }
.cards small { color: var(--faint); display: block; line-height: 1.35; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1.5rem; margin-bottom: .75rem; align-items: end; }
.plots > :first-child { grid-column: 1 / -1; }
details { margin-top: .75rem; }
th, td { white-space: nowrap; text-align: right; }
tr > :first-child { text-align: left; white-space: normal; min-width: 8rem; }
tbody th { font-weight: 400; color: var(--ink); }
svg.share { margin-top: .45rem; }
`;
