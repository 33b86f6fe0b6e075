/**
 * When a match in the output of a background process is worth a message. Pure: the time comes as an argument, the state is
 * data. A process that talks all the time must not talk the conversation down, nor many of them together.
 */
export interface WatchState {
  /** When the last match was told; a window of silence begins with it. */
  readonly toldAt: number | undefined;
  /** Matches in that window, which were dropped. */
  readonly dropped: number;
  /** Windows in a row that had such matches. */
  readonly strikes: number;
  readonly off: boolean;
}
/** `off`: too many, it is watched no more. */
export type WatchDecision = 'tell' | 'drop' | 'off';

export const WATCH_RULES = { windowMs: 15_000, strikes: 3, burst: 15, burstMs: 10_000, silenceMs: 30_000 } as const;
export const FRESH_WATCH: WatchState = { toldAt: undefined, dropped: 0, strikes: 0, off: false };

/** One match, at a time. */
export function onMatch(watch: WatchState, now: number): readonly [WatchState, WatchDecision] {
  if (watch.off) return [watch, 'drop'];
  const since = watch.toldAt === undefined ? Infinity : now - watch.toldAt;
  if (since >= WATCH_RULES.windowMs) return [{ ...watch, toldAt: now, dropped: 0, strikes: inARow(watch, since) }, 'tell'];
  // However many fall into one window, it is one strike.
  const strikes = watch.strikes + (watch.dropped === 0 ? 1 : 0);
  const off = strikes >= WATCH_RULES.strikes;
  return [{ ...watch, dropped: watch.dropped + 1, strikes, off }, off ? 'off' : 'drop'];
}

/** A window without a dropped match breaks the row, and so does one in which nothing matched. */
const inARow = ({ dropped, strikes }: WatchState, since: number): number =>
  dropped === 0 || since >= 2 * WATCH_RULES.windowMs ? 0 : strikes;

/** All watches together. */
export interface Breaker {
  /** When messages went out lately. */
  readonly recent: readonly number[];
  readonly silentUntil: number;
}
/** `trip`: one too many; from now on there is silence for a while. */
export type BreakerDecision = 'tell' | 'drop' | 'trip';
export const FRESH_BREAKER: Breaker = { recent: [], silentUntil: -Infinity };

/** One message that would go out, at a time. */
export function onMessage(breaker: Breaker, now: number): readonly [Breaker, BreakerDecision] {
  if (now < breaker.silentUntil) return [breaker, 'drop'];
  const recent = breaker.recent.filter((at) => now - at < WATCH_RULES.burstMs);
  if (recent.length >= WATCH_RULES.burst) return [{ recent: [], silentUntil: now + WATCH_RULES.silenceMs }, 'trip'];
  return [{ recent: [...recent, now], silentUntil: -Infinity }, 'tell'];
}
