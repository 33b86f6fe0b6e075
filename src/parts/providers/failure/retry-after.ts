import { readPath, isObject, parseJson, readStringAt } from '../../../base/json.ts';
import type { Evidence } from './evidence.ts';

/**
 * How long the provider asks us to wait, in milliseconds: the most exact source wins. A time stated as a date is held against the server's
 * own clock: ours may be minutes off.
 */
export function retryAfterMs(evidence: Evidence, words: string): number | undefined {
  const headers = evidence.headers ?? {};
  const now = readServerTime(headers) ?? evidence.now ?? Number.NaN;
  return (
    number(headers['retry-after-ms']) ??
    delay(headers['retry-after'], now) ??
    retryInfo(parseJson(evidence.body ?? '')) ??
    inWords(words) ??
    bucketReset(headers, now) ??
    bodyReset(parseJson(evidence.body ?? ''), now) ??
    dateInWords(words, now)
  );
}

function readServerTime(headers: Readonly<Record<string, string>>): number | undefined {
  const time = Date.parse(headers['date'] ?? '');
  return Number.isNaN(time) ? undefined : time;
}

const number = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;

/** Seconds, a span like `1m30s`, or a date. Large plain numbers are times of day, not spans. */
function delay(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const plain = number(text);
  if (plain !== undefined) return plain > 1e11 ? since(plain, now) : plain > 1e9 ? since(plain * 1000, now) : plain * 1000;
  return readTimeSpan(text) ?? since(Date.parse(text), now);
}
const since = (time: number, now: number): number | undefined =>
  Number.isNaN(time) || Number.isNaN(now) ? undefined : Math.max(0, time - now);

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const UNIT = '(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])';
const SPAN = new RegExp(`^\\s*(?:\\d+(?:\\.\\d+)?\\s*${UNIT}\\s*,?\\s*(?:and\\s)?)+`, 'i');

/** `36.743s`, `2m59.56s`, `120ms`, `1 hour 5 minutes`. */
export function readTimeSpan(text: string): number | undefined {
  const whole = SPAN.exec(text)?.[0];
  if (whole === undefined) return undefined;
  const parts = whole.matchAll(/(\d+(?:\.\d+)?)\s*(ms|mil|[smhd])/gi);
  const total = [...parts].reduce(
    (sum, [, count, unit = 's']) => sum + Number(count) * (UNIT_MS[unit.toLowerCase().replace('mil', 'ms')] ?? 1000),
    0,
  );
  return Math.round(total);
}

const LEAD =
  /(?:try again|retry|retrying|available again|resets?|reset|wait|retry after|again after)(?:\s+(?:again|your request|the request))?\s*(?:in|after|for|within|of)?:?\s+(?:about\s+|at least\s+)?(?=\d)/gi;

/** "Please try again in 1m30s", "retry after 60 seconds", "wait 5 minutes". */
function inWords(words: string): number | undefined {
  for (const match of words.matchAll(LEAD)) {
    const found = readTimeSpan(words.slice(match.index + match[0].length));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** "Your limit will reset at 2026-10-14 21:31:39". A time without a zone is read as UTC. */
function dateInWords(words: string, now: number): number | undefined {
  const match = /(\d{4}-\d{2}-\d{2})(?:[t ]+(?:at )?(\d{2}:\d{2}(?::\d{2})?))?/i.exec(words);
  return match === null ? undefined : since(Date.parse(`${match[1]}T${match[2] ?? '00:00'}Z`), now);
}

/** Google states the wait in a detail of its own. */
function retryInfo(body: unknown): number | undefined {
  const first = Array.isArray(body) ? body[0] : body;
  const details = readPath(first, 'error', 'details');
  const stated = Array.isArray(details)
    ? details.map((detail) => readStringAt(detail, 'retryDelay')).find((text) => text !== undefined)
    : undefined;
  return stated === undefined ? undefined : readTimeSpan(stated);
}

const RESET = /^(?:x-ratelimit-reset-|anthropic-ratelimit-)([a-z-]+?)(?:-reset)?$/;

/** The reset time of the bucket that is empty; of a bucket whose level is not stated when none is. */
function bucketReset(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const resets = Object.keys(headers).filter((name) => RESET.test(name) && name.includes('reset'));
  const empty = resets.filter((name) => headers[name.replace('reset', 'remaining')] === '0');
  const unknown = resets.filter((name) => headers[name.replace('reset', 'remaining')] === undefined);
  const waits = (empty.length > 0 ? empty : unknown).map((name) => delay(headers[name], now)).filter((wait) => wait !== undefined);
  return waits.length === 0 ? delay(headers['x-ratelimit-reset'], now) : Math.max(...waits);
}

const FIELD = /^(x-ratelimit-reset.*|retry[-_]after(_seconds)?|resets?_(in|after)(_seconds)?|resets?_at)$/i;

/** A field of the body; an aggregator also repeats such headers there. */
function bodyReset(body: unknown, now: number): number | undefined {
  const places = [body, readPath(body, 'error'), readPath(body, 'error', 'metadata'), readPath(body, 'error', 'metadata', 'headers')];
  const fields = places.flatMap((place) => (isObject(place) ? Object.entries(place) : []));
  const values = fields.flatMap(([name, value]) =>
    FIELD.test(name) && (typeof value === 'number' || typeof value === 'string') ? [value] : [],
  );
  return delay(values[0]?.toString(), now);
}
