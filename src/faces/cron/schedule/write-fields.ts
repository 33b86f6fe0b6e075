import { ANY_OF } from './calendar.ts';
import type { ClockTime } from './words.ts';

/** Times of the day as a cron expression, or as several where one cannot hold them. `tail`: the three fields of days. */
export function writeTimes(times: readonly ClockTime[], tail: string): string {
  const hoursByMinute = Map.groupBy(times, ([, minute]) => minute);
  const written = [...hoursByMinute].map(([minute, same]) => ({
    minute,
    hours: writeField(
      same.map(([hour]) => hour),
      24,
    ),
  }));
  const minutesByHours = Map.groupBy(written, ({ hours }) => hours);
  return [...minutesByHours]
    .map(
      ([hours, same]) =>
        `${writeField(
          same.map(({ minute }) => minute),
          60,
        )} ${hours} ${tail}`,
    )
    .join(ANY_OF);
}

export const writeDays = (days: readonly number[] = []): string => (days.length === 0 ? '*' : writeField(days, 7));

/** `*`, `*\/15`, `9-17` or a list. */
function writeField(values: readonly number[], size: number): string {
  const sorted = [...new Set(values)].toSorted((one, other) => one - other);
  if (sorted.length === size) return '*';
  const [first = 0, second = first] = sorted;
  const step = second - first;
  const isEven = sorted.every((value, index) => value === first + index * step);
  if (isEven && step > 1 && first === 0 && sorted.length * step === size) return `*/${step}`;
  return isEven && step === 1 && sorted.length > 2 ? `${first}-${sorted.at(-1)}` : sorted.join(',');
}
