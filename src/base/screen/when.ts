const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, as people say it; a date once that says more. */
export function formatAgo(at: number, now: number): string {
  const gone = now - at;
  if (gone < MINUTE) return 'just now';
  if (gone < HOUR) return `${Math.floor(gone / MINUTE)} min ago`;
  if (gone < DAY) return `${Math.floor(gone / HOUR)} h ago`;
  const days = Math.floor(gone / DAY);
  return days < 7 ? `${days} ${days === 1 ? 'day' : 'days'} ago` : formatDay(at);
}

/** The calendar day where the reader is. */
export const formatDay = (at: number): string => formatMoment(at).slice(0, 10);
/** Day and time to the minute where the reader is. */
export const formatMoment = (at: number): string => new Date(at).toLocaleString('sv-SE').slice(0, 16);
export const formatClockTime = (at: number): string => new Date(at).toLocaleTimeString('sv-SE');

/** A stretch of time in its largest unit that says enough. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < HOUR) return `${Math.round(ms / MINUTE)} min`;
  return ms < 2 * DAY ? `${(ms / HOUR).toFixed(1)} h` : `${Math.round(ms / DAY)} days`;
}

/** The same within a sentence, in words; for what is minutes old or more. */
export function formatAge(ms: number): string {
  const minutes = Math.floor(ms / MINUTE);
  if (minutes < 60) return `${minutes} minutes`;
  const hours = Math.floor(ms / HOUR);
  return ms < 2 * DAY ? `${hours} hour${hours === 1 ? '' : 's'}` : `${Math.floor(ms / DAY)} days`;
}

/** The first moment of the day `days - 1` days before today: `1` is today alone. */
export function startOfDays(days: number, now: number): number {
  const start = new Date(now);
  start.setHours(0, 0, 0, 0);
  start.setDate(start.getDate() - Math.max(0, days - 1));
  return start.getTime();
}
