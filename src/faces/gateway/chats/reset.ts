import { isObject } from '../../../base/json.ts';
import { toInstant, toWallTime } from '../../../base/zoned-time.ts';
import type { SliceValues } from '../../../contracts/settings.ts';
import type { ChatType } from '../../../contracts/platform-adapter.ts';
import type { resetSettings } from '../settings.ts';

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
  const today = Math.floor(toWallTime(after, zone) / DAY_MS) * DAY_MS;
  const moments = [0, 1, 2].map((days) => toInstant(today + days * DAY_MS + hour * 3_600_000, zone));
  return moments.find((moment) => moment > after) ?? Infinity;
}
