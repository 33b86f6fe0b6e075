import type { ExitReason } from '../contracts/outcome.ts';
import type { ActivityCounts, CallCount, CallRecord, ToolCount } from '../contracts/ledger.ts';
import { NO_USAGE } from '../contracts/message.ts';
import type { StoredCompactionReport } from '../contracts/session-store.ts';
import { addUsage, computeCacheShare, type CallSum } from './usage-sums.ts';

/** What happened in a stretch of days, added up where the reader is. */
export interface Insights {
  /** Days looked back; `undefined` means all. */
  readonly days: number | undefined;
  readonly now: number;
  readonly total: CallSum;
  readonly sessions: number;
  readonly turns: number;
  /** Every day from the first to today, also those on which nothing happened. */
  readonly byDay: readonly DayInsight[];
  /** Model calls by weekday, Monday first, and hour of the day. */
  readonly byHour: readonly (readonly number[])[];
  /** Calls for notes, titles and tools apart from the sessions' own; most tokens first. */
  readonly models: readonly ModelInsight[];
  readonly tools: readonly ToolCount[];
  /** Why turns ended, most frequent first. */
  readonly exits: readonly { readonly reason: ExitReason; readonly turns: number }[];
  /** Model calls that gave no message, by what went wrong. */
  readonly failures: readonly { readonly result: string; readonly calls: number }[];
  readonly sources: readonly { readonly source: string; readonly sessions: number }[];
  readonly compactions: readonly StoredCompactionReport[];
}
export interface DayInsight {
  /** As `2026-01-31`. */
  readonly day: string;
  readonly sum: CallSum;
  readonly sessions: number;
  readonly turns: number;
}
export interface ModelInsight {
  readonly provider: string;
  readonly model: string;
  readonly purpose?: CallRecord['purpose'];
  readonly sum: CallSum;
  readonly ms: number;
  /** Calls that gave no message. */
  readonly failed: number;
}

export interface InsightScope {
  readonly days: number | undefined;
  readonly since?: number;
  readonly now: number;
  readonly compactions: readonly StoredCompactionReport[];
}

export function sumActivity({ calls, turns, sessions, tools }: ActivityCounts, { days, since, now, compactions }: InsightScope): Insights {
  return {
    days,
    now,
    total: sumCounts(calls),
    sessions: totalOf(sessions, (row) => row.sessions),
    turns: totalOf(turns, (row) => row.turns),
    byDay: sumByDay({ calls, turns, sessions }, since, now),
    byHour: sumByHour(calls),
    models: sumByModel(calls),
    tools,
    exits: rank(
      turns,
      (row) => row.exitReason,
      (row) => row.turns,
    ).map(([reason, count]) => ({ reason, turns: count })),
    failures: rank(
      calls.filter(isFailed),
      (row) => row.result,
      (row) => row.calls,
    ).map(([result, count]) => ({ result, calls: count })),
    sources: rank(
      sessions,
      (row) => row.source,
      (row) => row.sessions,
    ).map(([source, count]) => ({ source, sessions: count })),
    compactions,
  };
}

export function sumCounts(counts: readonly CallCount[]): CallSum {
  const usage = counts.reduce((sum, count) => addUsage(sum, count.usage), NO_USAGE);
  return {
    calls: totalOf(counts, (row) => row.calls),
    usage,
    knownCost: totalOf(counts, (row) => row.price),
    unpriced: totalOf(counts, (row) => row.unpriced),
    estimated: totalOf(counts, (row) => row.estimated),
    cacheShare: computeCacheShare(usage),
  };
}

const totalOf = <Row>(rows: readonly Row[], valueOf: (row: Row) => number): number => rows.reduce((sum, row) => sum + valueOf(row), 0);

/** One that runs has not failed yet. */
const FINISHED: ReadonlySet<string> = new Set(['stop', 'tool_calls', 'length', 'content_filter', 'paused', 'running']);
const isFailed = ({ result }: CallCount): boolean => !FINISHED.has(result);

/** Names with their sums, the largest first. */
function rank<Row, Name extends string>(rows: readonly Row[], nameOf: (row: Row) => Name, valueOf: (row: Row) => number): [Name, number][] {
  const groups = [...Map.groupBy(rows, nameOf)].map(([name, group]): [Name, number] => [name, totalOf(group, valueOf)]);
  return groups.toSorted(([a, most], [b, more]) => more - most || (a < b ? -1 : 1));
}

/** Plain getters: a formatter of days takes a second for the quarter hours of some years. */
function toDay(at: number): string {
  const date = new Date(at);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

function sumByDay({ calls, turns, sessions }: Omit<ActivityCounts, 'tools'>, since: number | undefined, now: number): DayInsight[] {
  const first = since ?? [...calls, ...turns, ...sessions].reduce((least, { at }) => Math.min(least, at), now);
  const [callsOn, turnsOn, sessionsOn] = [groupByDay(calls), groupByDay(turns), groupByDay(sessions)];
  return listDays(first, now).map((day) => ({
    day,
    sum: sumCounts(callsOn.get(day) ?? []),
    turns: totalOf(turnsOn.get(day) ?? [], (row) => row.turns),
    sessions: totalOf(sessionsOn.get(day) ?? [], (row) => row.sessions),
  }));
}
const groupByDay = <Row extends { readonly at: number }>(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> =>
  Map.groupBy(rows, ({ at }) => toDay(at));

/** By the calendar: a day of 23 or 25 hours is one day. */
function listDays(first: number, last: number): string[] {
  const days: string[] = [];
  const date = new Date(first);
  for (date.setHours(12, 0, 0, 0); toDay(date.getTime()) <= toDay(last); date.setDate(date.getDate() + 1)) days.push(toDay(date.getTime()));
  return days;
}

function sumByHour(calls: readonly CallCount[]): number[][] {
  const hours = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  for (const { at, calls: count } of calls) {
    const date = new Date(at);
    const day = hours[(date.getDay() + 6) % 7];
    if (day !== undefined) day[date.getHours()] = (day[date.getHours()] ?? 0) + count;
  }
  return hours;
}

function sumByModel(calls: readonly CallCount[]): ModelInsight[] {
  const groups = Map.groupBy(calls, ({ provider, model, purpose }) => JSON.stringify([provider, model, purpose]));
  const models = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { provider, model, purpose } = first;
    const failed = totalOf(group.filter(isFailed), (row) => row.calls);
    return [
      { provider, model, ...(purpose !== undefined && { purpose }), sum: sumCounts(group), ms: totalOf(group, (row) => row.ms), failed },
    ];
  });
  return models.toSorted((a, b) => countTokens(b.sum) - countTokens(a.sum) || b.sum.calls - a.sum.calls);
}

/** Everything that went in and came out. */
export const countTokens = ({ usage: { input, output, cacheRead, cacheWrite } }: Pick<CallSum, 'usage'>): number =>
  input + output + cacheRead + cacheWrite;

/** What compactions came to. */
export function sumReports(reports: readonly StoredCompactionReport[]): {
  readonly done: number;
  readonly refused: number;
  readonly saved: number;
} {
  const done = reports.filter(({ outcome }) => outcome !== 'refused');
  return {
    done: done.length,
    refused: reports.length - done.length,
    saved: totalOf(done, ({ tokensBefore, tokensAfter }) => tokensBefore - tokensAfter),
  };
}

/** So many days as one each; its name is that of the first and the last. */
export function mergeDays(byDay: readonly DayInsight[], each: number): readonly DayInsight[] {
  if (each === 1) return byDay;
  return Array.from({ length: Math.ceil(byDay.length / each) }, (_, index) => {
    const days = byDay.slice(index * each, (index + 1) * each);
    return {
      day: `${days[0]?.day ?? ''} to ${days.at(-1)?.day ?? ''}`,
      sum: addSums(days.map(({ sum }) => sum)),
      sessions: totalOf(days, (day) => day.sessions),
      turns: totalOf(days, (day) => day.turns),
    };
  });
}

function addSums(sums: readonly CallSum[]): CallSum {
  const usage = sums.reduce((all, sum) => addUsage(all, sum.usage), NO_USAGE);
  return {
    calls: totalOf(sums, (sum) => sum.calls),
    usage,
    knownCost: totalOf(sums, (sum) => sum.knownCost),
    unpriced: totalOf(sums, (sum) => sum.unpriced),
    estimated: totalOf(sums, (sum) => sum.estimated),
    cacheShare: computeCacheShare(usage),
  };
}
