import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../base/errors.ts';
import { toVisibleLine } from '../../base/visible.ts';
import type { Job, JobChange, JobStore } from '../../contracts/job-store.ts';
import type { JobMaker, JobRequest, JobService, JobView } from '../../contracts/services/jobs.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { defineJob, type DefineContext } from './define-job.ts';
import { createRunService, findOneJob, type RunServiceDeps } from './run-service.ts';
import { viewJob } from './job-views.ts';
import { findNextInstant } from './schedule/instants.ts';

export interface JobServiceDeps extends Pick<DefineContext, 'checkToolsets'>, RunServiceDeps {
  readonly store: Pick<SessionStore, 'jobs'> & { readonly gateway: Pick<SessionStore['gateway'], 'routes'> };
  /** Why results cannot go to a target, in words for whoever named it; `undefined` when they can. */
  readonly checkTarget: (target: string, by: JobMaker['by']) => Promise<string | undefined>;
  /** Where results of a job go that was made in no chat, as a target is typed. */
  readonly findHome: () => Promise<string | undefined>;
  /** Why a text of others may not become a prompt; `undefined` when it may. */
  readonly checkPrompt: (text: string) => Promise<string | undefined>;
}

/** How often somebody else's change is read again before it is given up. */
const MAX_TRIES = 5;

export function createJobService(deps: JobServiceDeps): JobService {
  const { zone } = deps;
  const { jobs } = deps.store;
  const view = (job: Job): Promise<JobView> => viewJob(job, jobs, zone);
  const viewAll = (found: readonly Job[]): Promise<readonly JobView[]> => Promise.all(found.map(view));
  const find = (ref: string): Promise<Job> => findOneJob(ref, jobs);
  const edit = async (ref: string, change: (job: Job) => Promise<JobChange> | JobChange): Promise<JobView> =>
    withHome(await view(await changeJob(ref, change, jobs)), deps);
  return {
    list: async ({ all = false, key } = {}) => {
      const found = await jobs.list(all ? {} : { states: ['scheduled', 'paused'] });
      return viewAll(found.filter(({ definition }) => key === undefined || definition.key === key));
    },
    show: async (ref) => view(await find(ref)),
    add: async (request, by) => {
      const context = await openContext(deps, by);
      const definition = await defineJob(request, undefined, context);
      await refuseSuspicious(definition.prompt, by, deps);
      refuseWide(request, by, deps);
      const nextAt = request.isPaused === true ? undefined : findNextInstant(definition.schedule, context.now);
      return withHome(await view(await jobs.add({ definition, ...(nextAt !== undefined && { nextAt }) })), deps);
    },
    change: (ref, request, by) =>
      edit(ref, async (job) => {
        const context = await openContext(deps, by);
        const definition = await defineJob(request, job.definition, context);
        await refuseSuspicious(definition.prompt, by, deps);
        refuseWide(request, by, deps);
        const isNewTime = request.schedule !== undefined || !isDeepStrictEqual(definition.schedule, job.definition.schedule);
        const nextAt = isNewTime ? findNextInstant(definition.schedule, context.now) : undefined;
        return {
          definition,
          ...(job.pausedWhy !== undefined && { pausedWhy: job.pausedWhy }),
          ...(isNewTime && job.state !== 'paused' && { state: 'scheduled' as const, nextAt: nextAt ?? null }),
        };
      }),
    pause: (ref, why) => edit(ref, () => ({ state: 'paused', nextAt: null, ...(why !== undefined && { pausedWhy: why }) })),
    resume: (ref) => edit(ref, async (job) => resumeChange(job, await jobs.now())),
    remove: async (ref) => {
      const job = await find(ref);
      const shown = await view(job);
      await jobs.remove(job.id);
      return shown;
    },
    ...createRunService(deps),
  };
}

async function withHome(job: JobView, { findHome }: Pick<JobServiceDeps, 'findHome'>): Promise<JobView> {
  const home = job.deliver.includes('origin') && job.origin === undefined ? await findHome() : undefined;
  return { ...job, ...(home !== undefined && { home }) };
}

async function openContext(
  { root, zone, checkTarget, checkToolsets, store }: JobServiceDeps,
  { by, sessionId, chat, key }: JobMaker,
): Promise<DefineContext> {
  const [route] = sessionId === undefined ? [] : await store.gateway.routes({ sessionId, limit: 1 });
  const origin = chat ?? route?.target;
  return {
    now: await store.jobs.now(),
    zone,
    root,
    checkTarget: (target) => checkTarget(target, by),
    checkToolsets,
    findJobId: async (ref) => (await findOneJob(ref, store.jobs)).id,
    ...(origin !== undefined && { origin }),
    ...(key !== undefined && { key }),
  };
}

async function refuseSuspicious(prompt: string, { by }: JobMaker, { checkPrompt }: JobServiceDeps): Promise<void> {
  const why = by === 'owner' ? undefined : await checkPrompt(prompt);
  if (why !== undefined) throw new UsageError(`this prompt is not kept: ${why}`);
}

/** What keeps or tells something of the owner's, and what sends messages, is never a model's to hand to a job. */
const MODEL_TOOLSETS = ['hermes-guest'];

function refuseWide({ toolsets = [] }: JobRequest, { by }: JobMaker, { checkToolsets }: JobServiceDeps): void {
  if (by !== 'model' || checkToolsets(toolsets, MODEL_TOOLSETS) === undefined) return;
  throw new UsageError(
    `only toolsets within ${MODEL_TOOLSETS.join(', ')} can be chosen here. Leave them out for the usual ones; the owner can set others: hermes cron edit JOB -t NAMES`,
  );
}

/** Reads the job anew when somebody else changed it meanwhile. */
async function changeJob(ref: string, change: (job: Job) => Promise<JobChange> | JobChange, jobs: JobStore): Promise<Job> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const job = await findOneJob(ref, jobs);
    const changed = await jobs.change(job.id, job.version, await change(job));
    if (changed !== undefined) return changed;
  }
  throw new UsageError(`job ${toVisibleLine(ref)} is being changed by somebody else. Try again.`);
}

function resumeChange({ definition, state, runs }: Job, now: number): JobChange {
  if (state === 'scheduled') throw new UsageError('the job is not paused.');
  const nextAt = findNextInstant(definition.schedule, now);
  if (nextAt === undefined) throw new UsageError('its time has passed. Give it another: hermes cron edit ID --schedule "in 30m"');
  if (definition.repeat !== undefined && runs >= definition.repeat)
    throw new UsageError(
      `it has run ${runs} times, as often as it was to. Let it run more often: hermes cron edit ID --repeat ${runs + 1}`,
    );
  return { state: 'scheduled', nextAt };
}
