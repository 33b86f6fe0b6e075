import type { Job, JobStore } from '../../contracts/job-store.ts';
import { planSkip } from './schedule/misfire.ts';

/** Lets every job whose time has come wait for its next time instead; gives those. */
export async function skipPassed(jobs: Pick<JobStore, 'now' | 'list' | 'pass'>): Promise<readonly Job[]> {
  const now = await jobs.now();
  const skipped: Job[] = [];
  for (const job of await jobs.list({ states: ['scheduled'] })) {
    const pass = planSkip(job, now);
    if (pass !== undefined && (await jobs.pass(pass, 0)) !== undefined) skipped.push(job);
  }
  return skipped;
}
