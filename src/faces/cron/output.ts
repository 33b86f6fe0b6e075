import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../../base/errors.ts';
import { replaceFile } from '../../base/replace-file.ts';
import type { JobRun } from '../../contracts/job-store.ts';
import { formatInstant } from './schedule/describe.ts';

/** Between what is said of a run and its words. */
const RULE = '\n\n---\n\n';
/** More of another job's result is not given to an agent. */
const MAX_READ = 50_000;

export interface SavedResult {
  readonly run: Pick<JobRun, 'jobId' | 'jobName' | 'instant' | 'sessionId'>;
  readonly state: string;
  readonly text: string;
}

/** Keeps the whole result in a file of the instant's name, so that a second attempt writes the same one. Gives its path below the home. */
export function saveOutput({ run, state, text }: SavedResult, root: string, zone: string, keep: number): string {
  const folder = join('cron', 'output', run.jobId);
  const path = join(folder, `${new Date(run.instant).toISOString().replace('T', '_').replaceAll(':', '-').replace('.000', '')}.md`);
  const head = [
    `# ${run.jobName}`,
    `${formatInstant(run.instant, zone)}, ${state}${run.sessionId === undefined ? '' : `, session ${run.sessionId}`}`,
  ].join('\n\n');
  replaceFile(join(root, path), `${head}${RULE}${text}\n`, 0o600);
  for (const old of listOutputs(root, run.jobId).slice(0, -keep)) rmSync(join(root, folder, old), { force: true });
  return path;
}

/** The words of a result that was kept; `undefined` when there is none. */
export function readOutput(root: string, path: string): string | undefined {
  try {
    const text = readFileSync(join(root, path), 'utf8');
    return text.slice(text.indexOf(RULE) + RULE.length, MAX_READ).trim();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Oldest first. */
function listOutputs(root: string, jobId: string): readonly string[] {
  try {
    return readdirSync(join(root, 'cron', 'output', jobId))
      .filter((name) => name.endsWith('.md'))
      .toSorted();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
