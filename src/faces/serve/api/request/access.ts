import { isUsageError } from '../../../../base/errors.ts';
import { MAIN_OWNER, type Run } from '../../../../contracts/run-store.ts';
import type { JobView } from '../../../../contracts/services/jobs.ts';
import type { Session } from '../../../../contracts/session-store.ts';
import type { ApiContext, ApiKey } from '../http/contract.ts';
import { createNotFound } from '../http/errors.ts';

/** Where sessions of programs are held. No others are reached from here. */
export const API_PLATFORM = 'api_server';
/** Where plain completions are held, which are no sessions to anybody: they go soon after their answer. */
export const PLAIN_SOURCE = 'api_plain';

/** A session that this key may use. Another's is as unknown as one that is not there. */
export async function requireSession(id: string, key: ApiKey, { host: { store } }: Pick<ApiContext, 'host'>): Promise<Session> {
  const [session] = /^[\w-]{1,64}$/.test(id) ? await store.find(id) : [];
  const owner = session?.id === id && session.platform === API_PLATFORM ? await store.runs.findOwner(id) : undefined;
  if (session === undefined || owner === undefined || !mayUse(key, owner.owner)) throw createNotFound('session', id);
  return session;
}

export const mayUse = (key: ApiKey, owner: string): boolean => key.isMain || owner === key.name;

/** A job that this key may see, by its id in full. */
export async function requireJob(id: string, key: ApiKey, { jobs }: Pick<ApiContext, 'jobs'>): Promise<JobView> {
  const found = /^[0-9a-f]{12}$/.test(id) ? await jobs.show(id).catch(ignoreUsage) : undefined;
  const job = found?.id === id ? found : undefined;
  if (job === undefined || !mayUse(key, job.key ?? MAIN_OWNER)) throw createNotFound('job', id);
  return job;
}

function ignoreUsage(error: unknown): undefined {
  if (!isUsageError(error)) throw error;
}

/** A run that this key may see; nothing for another's. */
export async function findOwnRun(id: string, key: ApiKey, { host: { store } }: Pick<ApiContext, 'host'>): Promise<Run | undefined> {
  const run = /^run_[0-9a-f]{16}$/.test(id) ? await store.runs.find(id) : undefined;
  return run !== undefined && mayUse(key, run.owner) ? run : undefined;
}
export async function requireRun(id: string, key: ApiKey, context: Pick<ApiContext, 'host'>): Promise<Run> {
  const run = await findOwnRun(id, key, context);
  if (run === undefined) throw createNotFound('run', id);
  return run;
}
