import type { IncomingHttpHeaders } from 'node:http';

const MAX_KEPT = 1_000;

/** What Discord said about its limits, so that a call that would be turned down is not made. */
export interface RateLimits {
  /** Milliseconds until a call of this kind is let through, and whether all kinds wait; 0 for now. */
  waitFor(key: string): { readonly ms: number; readonly isGlobal: boolean };
  note(key: string, headers: IncomingHttpHeaders): void;
  /** All calls wait. */
  blockAll(ms: number): void;
}

export function createRateLimits(now: () => number = () => performance.now()): RateLimits {
  const until = new Map<string, number>();
  let allUntil = 0;
  const block = (key: string, ms: number): void => {
    if (until.size >= MAX_KEPT) for (const [known, time] of until) if (time <= now()) until.delete(known);
    until.set(key, now() + ms);
  };
  return {
    waitFor: (key) => {
      const [own, all] = [(until.get(key) ?? 0) - now(), allUntil - now()];
      return { ms: Math.max(0, own, all), isGlobal: all > 0 && all >= own };
    },
    note: (key, headers) => {
      const seconds = Number(headers['x-ratelimit-reset-after']);
      if (headers['x-ratelimit-remaining'] === '0' && seconds > 0) block(key, seconds * 1_000);
      else until.delete(key);
    },
    blockAll: (ms) => void (allUntil = now() + ms),
  };
}

/** Calls that share a limit: the method, the channel or server, and the kind of thing below it. */
export function limitKey(method: string, path: string): string {
  const [first = '', major = '', ...rest] = path.replace(/\?.*/, '').split('/').slice(1);
  const kinds = rest.map((part, index) => (/^\d+$/.test(part) || rest[index - 1] === 'reactions' ? ':id' : part));
  return [method, first, major, ...kinds].join(' ');
}
