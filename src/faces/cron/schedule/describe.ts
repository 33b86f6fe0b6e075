import { toWallTime } from '../../../base/zoned-time.ts';
import type { JobSchedule } from '../../../contracts/job-store.ts';

const DAYS = 'Sun Mon Tue Wed Thu Fri Sat'.split(' ');

/** A moment as clocks of a zone show it: `Mon 2026-11-23 09:00 Europe/Paris`. */
export function formatInstant(at: number, zone: string): string {
  const shown = new Date(toWallTime(at, zone));
  const [day = '', time = ''] = shown.toISOString().split('T');
  const seconds = shown.getUTCSeconds() === 0 ? '' : time.slice(5, 8);
  return `${DAYS[shown.getUTCDay()]} ${day} ${time.slice(0, 5)}${seconds} ${zone}`;
}

export function describeSchedule(schedule: JobSchedule, zone: string): string {
  if (schedule.kind === 'once') return `once, ${formatInstant(schedule.at, zone)}`;
  return schedule.kind === 'every' ? `every ${spellDuration(schedule.ms)}` : `${schedule.expression} (${schedule.zone})`;
}

const PARTS: readonly (readonly [string, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

/** `1 hour 30 minutes`. */
export function spellDuration(ms: number): string {
  let rest = Math.round(ms / 1_000) * 1_000;
  const words = PARTS.flatMap(([name, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`];
  });
  return words.slice(0, 2).join(' ') || '0 seconds';
}
