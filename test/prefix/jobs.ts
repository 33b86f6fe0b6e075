import { join } from 'node:path';
import { toErrorMessage } from '../../src/base/errors.ts';
import { DEFECTS } from './defects.ts';
import { injected, isRight, MUTATIONS, OTHERS } from './mutations.ts';
import { firstBreach, proveSession } from './prove.ts';
import { proveRestarts } from './real.ts';
import type { Counts } from './tally.ts';

/** One piece of the proof. Plain data, so that another process can do it. */
export interface Job {
  readonly kind: 'session' | 'restarts' | 'mutation' | 'defect';
  /** Which mutation or defect. */
  readonly name: string;
  readonly seed: string;
}
export interface Done {
  readonly job: Job;
  /** What breaks the promise, one line each. */
  readonly breaches: readonly string[];
  readonly counts: Counts;
  readonly mostMarks: number;
}

/** A job that takes longer than this hangs. */
const HANGS_AFTER_MS = 120_000;

export async function perform(job: Job, folder: string): Promise<Done> {
  const root = join(folder, `${job.kind}-${job.name.replaceAll(/\W/g, '-')}-${job.seed}`);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`it did not end within ${HANGS_AFTER_MS / 1000} s`)), HANGS_AFTER_MS);
  try {
    return { job, mostMarks: 0, counts: {}, ...(await Promise.race([KINDS[job.kind](job, root), late.promise])) };
  } catch (error) {
    return { job, mostMarks: 0, counts: {}, breaches: [`seed ${job.seed}: it broke off: ${toErrorMessage(error)}`] };
  } finally {
    clearTimeout(timer);
  }
}

type Found = Pick<Done, 'breaches'> & Partial<Done>;
const KINDS: Readonly<Record<Job['kind'], (job: Job, root: string) => Promise<Found>>> = {
  session: ({ seed }, root) => proveSession(seed, root),
  restarts: ({ seed }, root) => proveRestarts(seed, root),
  mutation: async ({ name, seed }, root) => {
    const mutation = { ...MUTATIONS, ...OTHERS }[name];
    if (mutation === undefined) throw new Error(`there is no mutation ${name}`);
    const found = await injected(seed, mutation, root);
    return { breaches: isRight(mutation, found) ? [] : [`seed ${seed}: ${name} is taken for ${found.cause}: ${found.words}`] };
  },
  defect: async ({ name }, root) => {
    const defect = DEFECTS[name];
    if (defect === undefined) throw new Error(`there is no defect ${name}`);
    const seen = await firstBreach(defect, root);
    return { breaches: seen === undefined ? [`${name} stays unseen`] : [] };
  },
};

/** The whole proof, the longest jobs first. */
export function jobsFor(sessions: number, restarts: number, seeds: number): readonly Job[] {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));
  const mutations = Object.keys({ ...MUTATIONS, ...OTHERS });
  return [
    ...numbers(restarts).map((seed): Job => ({ kind: 'restarts', name: '', seed })),
    ...Object.keys(DEFECTS).map((name): Job => ({ kind: 'defect', name, seed: '1' })),
    ...mutations.flatMap((name) => numbers(seeds).map((seed): Job => ({ kind: 'mutation', name, seed }))),
    ...numbers(sessions).map((seed): Job => ({ kind: 'session', name: '', seed })),
  ];
}
