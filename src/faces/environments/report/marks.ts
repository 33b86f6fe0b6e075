import type { ScoredAttempt } from '../../../contracts/environment.ts';
import type { Estimate } from '../../../contracts/services/environments.ts';
import { markup, type Markup } from '../../../commands/page-markup.ts';
import { isPass } from '../result-file.ts';

/** How an attempt came out, the best first. */
export const OUTCOMES = ['passed', 'partial', 'failed', 'broken'] as const;
export type AttemptOutcome = (typeof OUTCOMES)[number];
/** The color of each, a custom property of the page. */
export const COLORS: Readonly<Record<AttemptOutcome, string>> = { passed: 'four', partial: 'three', failed: 'rest', broken: 'bad' };

export function outcomeOf(attempt: ScoredAttempt): AttemptOutcome {
  if (isPass(attempt)) return 'passed';
  if (attempt.reward > 0) return 'partial';
  return attempt.error === undefined ? 'failed' : 'broken';
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;
export const signed = (value: number): string => `${value > 0 ? '+' : value < 0 ? '−' : '±'}${Math.abs(value).toFixed(3)}`;
/** Usual words for how hard a task is, the easiest first; others follow by name. */
const DIFFICULTIES: readonly string[] = ['trivial', 'easy', 'medium', 'hard', 'expert'];
export const compareGroups = (a: string, b: string): number => rankOf(a) - rankOf(b) || (a < b ? -1 : 1);
const rankOf = (name: string): number => (DIFFICULTIES.indexOf(name.toLowerCase()) + DIFFICULTIES.length + 1) % (DIFFICULTIES.length + 1);

/** What the colors stand for. */
export const drawLegend = (): Markup =>
  markup`<ul class="legend">${OUTCOMES.map((outcome) => markup`<li><i class="dot" style="background: var(--${COLORS[outcome]})"></i> ${outcome}</li>`)}</ul>`;
export const section = (title: string, ...content: readonly (Markup | undefined)[]): Markup =>
  markup`<section><h2>${title}</h2>${content}</section>`;

export interface IntervalRow {
  readonly name: string;
  readonly estimate: Estimate;
  /** What stands at the end of the row. */
  readonly words: string;
  readonly note?: string;
  readonly color?: string;
}
export interface IntervalPlotOptions {
  readonly rows: readonly IntervalRow[];
  readonly low: number;
  readonly high: number;
  /** Words below the scale, from its left end to its right. */
  readonly scale: readonly string[];
}

/** A dot at each mean, and a band where the true one lies with 95 % likelihood. */
export function drawIntervals({ rows, low, high, scale }: IntervalPlotOptions): Markup {
  const at = (value: number): string => ((100 * (Math.min(high, Math.max(low, value)) - low)) / (high - low)).toFixed(2);
  const zero = low < 0 ? markup`<i class="zero" style="left: ${at(0)}%"></i>` : undefined;
  const drawn = rows.map(({ name, estimate, words, note = '', color = 'one' }) => {
    const width = (Number(at(estimate.high)) - Number(at(estimate.low))).toFixed(2);
    return markup`<li><span class="name">${name}</span><span class="track" style="--tint: var(--${color})" title="${name}: ${words}">${zero}<i class="band" style="left: ${at(estimate.low)}%; width: ${width}%"></i><i class="spot" style="left: ${at(estimate.mean)}%"></i></span><span class="value">${words}<small>${note}</small></span></li>`;
  });
  return markup`<ul class="intervals">${drawn}<li class="scale" aria-hidden="true"><span></span><span class="ticks">${scale.map((mark) => markup`<span>${mark}</span>`)}</span><span></span></li></ul>`;
}

/** Figures at a glance: the first is the one that counts. */
export const drawCards = (figures: readonly (readonly [name: string, value: string, note: string])[]): Markup =>
  markup`<dl class="cards">${figures.map(([name, value, note]) => markup`<div><dt>${name}</dt><dd><strong>${value}</strong><small>${note}</small></dd></div>`)}</dl>`;

export const MARKS_STYLE = `
body { max-width: 72rem; }
header p { margin: .2rem 0; }
section, .cards { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.1rem 1.2rem; margin: 1rem 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(12.5rem, 1fr)); gap: 1.1rem 1rem; }
.cards dt { color: var(--faint); font-size: .85rem; }
.cards dd { margin: 0; }
.cards strong { display: block; font-size: 1.55rem; font-weight: 650; line-height: 1.3; font-variant-numeric: tabular-nums; }
.cards small { color: var(--faint); display: block; line-height: 1.35; }
.cards div:first-child strong { color: var(--accent); }
.halves { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 1rem; align-items: start; }
.intervals { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: minmax(3rem, max-content) minmax(9rem, 1fr) minmax(6rem, max-content); gap: .45rem .9rem; font-size: .92rem; }
.intervals li { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; align-items: center; }
.intervals .name { text-align: right; line-height: 1.25; }
.intervals .value { font-variant-numeric: tabular-nums; line-height: 1.2; }
.intervals small { display: block; color: var(--faint); font-size: .78rem; }
.track { position: relative; height: 1.25rem; border-radius: 4px; background: linear-gradient(var(--line), var(--line)) center / 100% 1px no-repeat, var(--mark); }
.track i { position: absolute; }
.band { top: .3rem; bottom: .3rem; border-radius: 4px; background: var(--tint); opacity: .38; min-width: 2px; }
.spot { top: 50%; width: .72rem; height: .72rem; margin: -.36rem 0 0 -.36rem; border-radius: 50%; background: var(--tint); box-shadow: 0 0 0 2px var(--card); }
.zero { top: -.15rem; bottom: -.15rem; width: 1px; background: var(--faint); }
.ticks { display: flex; justify-content: space-between; color: var(--faint); font-size: .78rem; white-space: nowrap; container-type: inline-size; }
@container (max-width: 15rem) { .ticks > span:nth-child(even) { display: none; } }
@media (max-width: 36rem) { .intervals { grid-template-columns: minmax(3rem, max-content) 1fr; } .intervals .value { grid-column: 2; } .cards { grid-template-columns: 1fr 1fr; } }
`;
