import type { ForeignHome } from '../foreign/foreign-home.ts';
import { have, type MigrationTarget, type PlannedItem } from './target.ts';

/** Jobs are taken as paused ones: the other program may run them still, and twice is once too often. */
export async function planJobs({ jobs = [] }: ForeignHome, { jobs: target }: MigrationTarget): Promise<readonly PlannedItem[]> {
  const planned: PlannedItem[] = [];
  for (const job of jobs) {
    if (await target.isKnown(job)) planned.push(have('cron', job.name));
    else
      planned.push({
        kind: 'cron',
        name: job.name,
        state: 'take',
        changes: 'sessions.db',
        why: 'taken as paused; hermes cron resume starts it, once the other program runs it no more',
        take: async () => {
          const refusal = await target.add(job);
          return refusal === undefined ? undefined : { state: 'left', why: refusal };
        },
      });
  }
  return planned;
}
