/** `prefix_` and 16 hex digits that sort by time: 11 of milliseconds, 5 random. */
export const createTimeId = (prefix: string, now: number): string => `${prefix}_${now.toString(16).padStart(11, '0')}${randomHex(5)}`;

/** `YYYYMMDD_HHMMSS_` and six hex digits, in local time as people read it. */
export function createSessionId(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  return `${day}_${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}_${randomHex(6)}`;
}

/** Up to 12 random hex digits for names. Names are no secrets: they need not cost the start of a cryptography module. */
export const randomHex = (digits: number): string =>
  Math.floor(Math.random() * 16 ** digits)
    .toString(16)
    .padStart(digits, '0');
