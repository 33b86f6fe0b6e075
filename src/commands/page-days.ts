import { formatPercent, formatShort, formatWhole } from '../base/screen/figures.ts';
import { countTokens, type DayInsight } from './insight-sums.ts';
import type { Markup } from './page-markup.ts';
import { drawColumns } from './page-plots.ts';

const partsOf = ({ sum: { usage } }: DayInsight): number[] => [usage.cacheRead, usage.input, usage.cacheWrite, usage.output];

export function plotTokens(spans: readonly DayInsight[], unit: string): Markup {
  const most = Math.max(...spans.map(({ sum }) => countTokens(sum)));
  return drawColumns({
    title: `Tokens per ${unit}`,
    summary: `Tokens per ${unit}, ${describePeak(spans, ({ sum }) => countTokens(sum), formatWhole)}`,
    colors: ['two', 'one', 'three', 'four'],
    names: ['read from cache', 'not cached', 'written to cache', 'output'],
    most,
    mostLabel: formatShort(most),
    columns: spans.map((span) => {
      const [cached = 0, fresh = 0, written = 0, output = 0] = partsOf(span);
      const title = `${span.day}: ${formatWhole(countTokens(span.sum))} tokens; ${formatWhole(cached)} read from cache, ${formatWhole(fresh)} not cached, ${formatWhole(written)} written to cache, ${formatWhole(output)} output`;
      return { label: span.day, parts: [cached, fresh, written, output], title };
    }),
  });
}

/** One figure of each span. */
export interface SpanFigure {
  readonly name: string;
  readonly color: string;
  valueOf(span: DayInsight): number;
  format(value: number): string;
}
export function plotFigure(spans: readonly DayInsight[], unit: string, { name, color, valueOf, format }: SpanFigure): Markup {
  const most = Math.max(...spans.map(valueOf));
  return drawColumns({
    title: `${name} per ${unit}`,
    summary: `${name} per ${unit}, ${describePeak(spans, valueOf, format)}`,
    colors: [color],
    most,
    mostLabel: format(most),
    columns: spans.map((span) => ({ label: span.day, parts: [valueOf(span)], title: `${span.day}: ${format(valueOf(span))}` })),
  });
}

export const plotShare = (spans: readonly DayInsight[], unit: string): Markup =>
  drawColumns({
    title: 'Share of the prompt read from cache',
    summary: `Share of the prompt read from cache per ${unit}, ${describePeak(spans, ({ sum }) => sum.cacheShare ?? 0, formatPercent)}`,
    colors: ['four'],
    most: 1,
    mostLabel: '100%',
    columns: spans.map(({ day, sum }) => ({ label: day, parts: [sum.cacheShare ?? 0], title: `${day}: ${formatPercent(sum.cacheShare)}` })),
  });

function describePeak(spans: readonly DayInsight[], valueOf: (span: DayInsight) => number, format: (value: number) => string): string {
  const values = spans.map(valueOf);
  const most = Math.max(...values);
  return most === 0 ? 'none' : `most ${format(most)}, ${spans[values.indexOf(most)]?.day ?? ''}`;
}
