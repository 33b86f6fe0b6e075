import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing, toErrorMessage } from '../../base/errors.ts';
import type { JobStore } from '../../contracts/job-store.ts';
import type { CronDeps } from './contract.ts';

const WORKSPACE = /^cron-([0-9a-f]{12})$/;
const OUTPUT = /^([0-9a-f]{12})$/;

/**
 * Removes what jobs that are over leave behind: the results of one that neither the list nor the ledger knows any more, and the
 * folder it worked in if nothing is in it. Files that a job wrote are its owner's. Never rejects.
 */
export async function clearLeftFolders({ host, root, log }: Pick<CronDeps, 'host' | 'root' | 'log'>): Promise<void> {
  try {
    await clearFolders(root, host.store.jobs);
  } catch (error) {
    log(`folders of jobs that are over could not be removed: ${toErrorMessage(error)}`);
  }
}

async function clearFolders(root: string, jobs: Pick<JobStore, 'list' | 'runs'>): Promise<void> {
  const [outputs, workspaces] = [join(root, 'cron', 'output'), join(root, 'workspaces')];
  // Names first: the row of a job is there before its folder.
  const [results, folders] = [listIds(outputs, OUTPUT), listIds(workspaces, WORKSPACE)];
  const states = new Map((await jobs.list()).map(({ id, state }) => [id, state]));
  for (const id of results)
    if (!states.has(id) && (await jobs.runs({ jobId: id, limit: 1 })).length === 0)
      rmSync(join(outputs, id), { recursive: true, force: true });
  const open = new Set((await jobs.runs({ states: ['running', 'waiting'] })).map(({ jobId }) => jobId));
  for (const id of folders)
    if ((states.get(id) ?? 'completed') === 'completed' && !open.has(id)) removeEmpty(join(workspaces, `cron-${id}`));
}

function listIds(folder: string, name: RegExp): readonly string[] {
  try {
    return readdirSync(folder).flatMap((each) => name.exec(each)?.[1] ?? []);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** The system refuses it when something is in it. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {}
}
