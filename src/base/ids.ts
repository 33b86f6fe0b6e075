const TAIL_DIGITS = 5;
let [lastMs, lastTail] = [0, 0];

/**
 * `prefix_` and 16 hex digits that sort by time: 11 of milliseconds, 5 random. Of those that this process makes within one
 * millisecond the later sorts behind the earlier.
 */
export function createTimeId(prefix: string, now: number): string {
  const follows = now === lastMs && lastTail < 16 ** TAIL_DIGITS - 1;
  // Begins in the lower half: above it there is room for those that follow.
  lastTail = follows ? lastTail + 1 : Math.floor((Math.random() * 16 ** TAIL_DIGITS) / 2);
  lastMs = now;
  return `${prefix}_${toHex(now, 11)}${toHex(lastTail, TAIL_DIGITS)}`;
}

/** `YYYYMMDD_HHMMSS_` and six hex digits, in local time as people read it. */
export function createSessionId(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  return `${day}_${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}_${randomHex(6)}`;
}

/** Up to 12 random hex digits for names. Names are no secrets: they need not cost the start of a cryptography module. */
export const randomHex = (digits: number): string => toHex(Math.floor(Math.random() * 16 ** digits), digits);

const toHex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
