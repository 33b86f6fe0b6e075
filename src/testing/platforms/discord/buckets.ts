import type { JsonObject } from '../../../base/json-types.ts';

export interface DiscordBucketOptions {
  /** Requests per window, for each bot, route and channel. */
  readonly limit: number;
  readonly windowMs: number;
}

export interface DiscordBucketState {
  readonly isOver: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly retryAfter: number;
}

/** Counts requests per bucket and tells a bot how it stands, as Discord does in every answer. */
export function createBuckets({ limit, windowMs }: DiscordBucketOptions): (key: string) => DiscordBucketState {
  const windows = new Map<string, { resetAt: number; used: number }>();
  return (key) => {
    const now = Date.now();
    const known = windows.get(key);
    const window = known !== undefined && known.resetAt > now ? known : { resetAt: now + windowMs, used: 0 };
    windows.set(key, window);
    const isOver = window.used >= limit;
    if (!isOver) window.used += 1;
    const retryAfter = (window.resetAt - now) / 1000;
    const headers = {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(limit - window.used),
      'x-ratelimit-reset': String(window.resetAt / 1000),
      'x-ratelimit-reset-after': String(retryAfter),
      'x-ratelimit-bucket': Buffer.from(key.replace(/ .*/, '')).toString('hex').slice(0, 32),
    };
    return { isOver, headers, retryAfter };
  };
}

export const rateLimited = (retryAfter: number, isGlobal: boolean): JsonObject => ({
  message: 'You are being rate limited.',
  retry_after: retryAfter,
  global: isGlobal,
});
