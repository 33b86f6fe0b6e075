import { isObject } from '../../base/json.ts';
import type { SliceValues } from '../../contracts/settings.ts';
import type { ChatType } from '../../contracts/platform-adapter.ts';
import type { resetSettings } from './settings.ts';

/** When a chat's session is over, so that its next message begins a new one. */
export interface ResetPolicy {
  readonly mode: 'daily' | 'idle' | 'both' | 'none';
  /** The hour of the day at which a session of the day before is over, in the owner's time zone. */
  readonly atHour: number;
  readonly idleMinutes: number;
}

/** The policy of a chat: what is set for its platform wins over what is set for its type, and that over the rest. */
export function selectResetPolicy(settings: SliceValues<typeof resetSettings>, platform: string, type: ChatType): ResetPolicy {
  const { reset_by_platform: byPlatform, reset_by_type: byType } = settings;
  return {
    mode: settings['session_reset.mode'],
    atHour: settings['session_reset.at_hour'],
    idleMinutes: settings['session_reset.idle_minutes'],
    ...readPolicy(byType[type] ?? (type === 'private' ? byType['dm'] : undefined)),
    ...readPolicy(byPlatform[platform]),
  };
}

/** What is right of a policy in the settings; all else stays as it was. */
function readPolicy(value: unknown): Partial<ResetPolicy> {
  if (!isObject(value)) return {};
  const { mode, at_hour: atHour, idle_minutes: idleMinutes } = value;
  return {
    ...((mode === 'daily' || mode === 'idle' || mode === 'both' || mode === 'none') && { mode }),
    ...(typeof atHour === 'number' && Number.isInteger(atHour) && atHour >= 0 && atHour < 24 && { atHour }),
    ...(typeof idleMinutes === 'number' && idleMinutes > 0 && { idleMinutes }),
  };
}

/** Whether a session that was last used then is over. `zone` is an IANA name; the machine's own when left out. */
export const isExpired = (lastUsedAt: number, now: number, policy: ResetPolicy, zone?: string): boolean =>
  now >= findExpiry(lastUsedAt, policy, zone);

/**
 * Whether it is time to write down what is worth remembering: shortly before the session is over, while nobody uses it. What
 * was flushed since the last use is not flushed again.
 */
export function flushDue(times: SessionTimes, now: number, policy: ResetPolicy, zone?: string): boolean {
  const { lastUsedAt, flushedAt = -Infinity } = times;
  const expiry = findExpiry(lastUsedAt, policy, zone);
  const lead = Math.min(FLUSH_LEAD_MS, (expiry - lastUsedAt) / 4);
  return flushedAt < lastUsedAt && now >= expiry - lead;
}
export interface SessionTimes {
  readonly lastUsedAt: number;
  readonly flushedAt?: number;
}
/** Long enough for a slow model, and for a sweep that runs once in a few minutes. */
const FLUSH_LEAD_MS = 15 * 60_000;

/** When a session is over, if nothing is said in it; `Infinity` for never. */
export function findExpiry(lastUsedAt: number, { mode, atHour, idleMinutes }: ResetPolicy, zone?: string): number {
  const idle = mode === 'idle' || mode === 'both' ? lastUsedAt + idleMinutes * 60_000 : Infinity;
  const daily = mode === 'daily' || mode === 'both' ? findNextHour(lastUsedAt, atHour, zone) : Infinity;
  return Math.min(idle, daily);
}

const DAY_MS = 86_400_000;

/** The first moment after another at which clocks there show this hour. Days are 23 to 25 hours long, and an hour that clocks skip begins where they go on. */
function findNextHour(after: number, hour: number, zone: string | undefined): number {
  const today = Math.floor((after + readOffset(after, zone)) / DAY_MS) * DAY_MS;
  const moments = [0, 1, 2].map((days) => toInstant(today + days * DAY_MS + hour * 3_600_000, zone));
  return moments.find((moment) => moment > after) ?? Infinity;
}

/** The moment at which clocks show a time, given as if it were UTC: the first of two, and for an hour that is skipped the moment of the skip. */
function toInstant(shown: number, zone: string | undefined): number {
  const moments = [shown - DAY_MS, shown + DAY_MS].map((near) => shown - readOffset(near, zone));
  const exact = moments.filter((moment) => moment + readOffset(moment, zone) === shown);
  return exact.length > 0 ? Math.min(...exact) : Math.max(...moments);
}

const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/** How far clocks of a zone are ahead of UTC, in milliseconds. */
function readOffset(at: number, zone: string | undefined): number {
  let format = formats.get(zone);
  if (format === undefined) formats.set(zone, (format = new Intl.DateTimeFormat('en-US', { ...CLOCK, timeZone: zone })));
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
}
const CLOCK: Intl.DateTimeFormatOptions = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
};

/** The owner's time zone, for the functions above; the machine's where none is named, or one that is not known. */
export function readTimeZone({ timezone }: { readonly timezone: string }): { readonly zone?: string; readonly problem?: string } {
  if (timezone === '') return {};
  try {
    readOffset(0, timezone);
    return { zone: timezone };
  } catch {
    return {
      problem: `timezone: there is no time zone ${timezone}. Write one such as Europe/Paris; until then the time of this machine counts.`,
    };
  }
}
