import { drawInsights } from '../../commands/draw-insights.ts';
import { countTokens, sumReports, type Insights } from '../../commands/insight-sums.ts';
import { describeWritten, insights } from '../../commands/insights.ts';
import { renderCommand, type RendererRow } from './renderer.ts';
import { toSumRow } from './usage-json.ts';

/** The report as scripts read it. Times are ISO, sums are those of `hermes usage`. */
export const toInsightsJson = (found: Insights, file?: string) => ({
  days: found.days ?? null,
  sessions: found.sessions,
  turns: found.turns,
  total: { ...toSumRow(found.total), tokens: countTokens(found.total) },
  byDay: found.byDay.map(({ sum, ...day }) => ({ ...day, ...toSumRow(sum), tokens: countTokens(sum) })),
  callsByHour: found.byHour,
  models: found.models.map(({ sum, ...model }) => ({ ...model, ...toSumRow(sum), tokens: countTokens(sum) })),
  tools: found.tools,
  exits: found.exits,
  failures: found.failures,
  sources: found.sources,
  compactionTotal: sumReports(found.compactions),
  compactions: found.compactions.map((report) => ({ ...report, at: new Date(report.at).toISOString() })),
  ...(file !== undefined && { file }),
});

export const ROWS: readonly RendererRow[] = [
  renderCommand(insights, {
    text: ({ insights: found, file }, screen) => (file === undefined ? drawInsights(found, screen) : describeWritten(file)),
    json: ({ insights: found, file }) => toInsightsJson(found, file),
  }),
];
