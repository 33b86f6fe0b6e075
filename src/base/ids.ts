import { randomBytes } from 'node:crypto';

/** `prefix_` and 16 hex digits that sort by time: 11 of milliseconds, 5 random. */
export function timeId(prefix: string, now: number): string {
  return `${prefix}_${now.toString(16).padStart(11, '0')}${randomBytes(3).toString('hex').slice(0, 5)}`;
}

/** `YYYYMMDD_HHMMSS_` and six hex digits, in local time as people read it. */
export function sessionId(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  return `${day}_${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}_${randomBytes(3).toString('hex')}`;
}
