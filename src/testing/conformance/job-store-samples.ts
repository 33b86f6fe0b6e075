import type { Job, JobDefinition, JobStore, TakenRun } from '../../contracts/job-store.ts';
import { createTarget, MINUTE } from './gateway-store-samples.ts';

export const LEASE_MS = MINUTE;

export const createDefinition = (name: string, more: Partial<JobDefinition> = {}): JobDefinition => ({
  name,
  schedule: { kind: 'every', ms: MINUTE, from: 0 },
  said: 'every 1m',
  prompt: `Do ${name}.`,
  deliver: ['origin'],
  origin: createTarget('7'),
  ...more,
});

/** A job that waits for this instant. */
export const addSampleJob = (jobs: JobStore, name: string, nextAt: number, more: Partial<JobDefinition> = {}): Promise<Job> =>
  jobs.add({ definition: createDefinition(name, more), nextAt });

/** Claims the run for the instant a job waits for; it waits for the one a minute later afterwards. */
export async function claimSampleRun(jobs: JobStore, { id, version, nextAt = 0 }: Job): Promise<TakenRun> {
  const passed = await jobs.pass({ jobId: id, version, from: nextAt, run: nextAt, next: nextAt + MINUTE }, LEASE_MS);
  if (passed?.taken === undefined) throw new Error(`no run of ${id} was claimed`);
  return passed.taken;
}

export async function readSampleJob(jobs: JobStore, id: string): Promise<Job> {
  const [job] = await jobs.find(id);
  if (job === undefined) throw new Error(`job ${id} should be there`);
  return job;
}
