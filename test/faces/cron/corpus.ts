import { readFileSync } from 'node:fs';
import { toWallTime } from '../../../src/base/zoned-time.ts';
import type { JobSchedule } from '../../../src/contracts/job-store.ts';
import { findNextInstant } from '../../../src/faces/cron/schedule/instants.ts';

/** The moment at which all phrases are typed, and the zone of the clock (`test/fixtures/schedules/README.md`). */
export const ZONE = 'Europe/Paris';
export const NOW = Date.parse('2026-11-18T10:00:00Z');

export interface Phrase {
  readonly said: string;
  readonly expected: string;
}

export function readPhrases(name: 'tune' | 'held-out'): readonly Phrase[] {
  const text = readFileSync(new URL(`../../fixtures/schedules/${name}.txt`, import.meta.url), 'utf8');
  return text.split('\n').flatMap((line) => {
    const [said = '', expected] = line.split(' => ');
    return expected === undefined || line.startsWith('#') ? [] : [{ said, expected }];
  });
}

/** A schedule as the corpus writes it, with as many runs as the expectation names. */
export function showRuns(schedule: JobSchedule | undefined, expected: string): string {
  if (schedule === undefined) return 'refused';
  if (schedule.kind === 'once') return `once ${formatWall(schedule.at)}`;
  const runs: string[] = [];
  let at = findNextInstant(schedule, NOW);
  for (const _ of expected.split(', ')) {
    if (at === undefined) break;
    runs.push(formatWall(at));
    at = findNextInstant(schedule, at);
  }
  return runs.join(', ');
}

const formatWall = (at: number): string => {
  const shown = new Date(toWallTime(at, ZONE)).toISOString().slice(0, 19).replace('T', ' ');
  return shown.replace(/:00$/, '');
};
