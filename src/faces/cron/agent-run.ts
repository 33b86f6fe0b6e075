import { isAbsolute, join } from 'node:path';
import { findOutcome } from '../../agent/delegate/report.ts';
import { watchStall } from '../../agent/delegate/stall.ts';
import { shortenTitle } from '../../agent/naming.ts';
import { makeFolder } from '../../base/folders.ts';
import { dropRewound } from '../../contracts/entry.ts';
import type { PlanAnswer, SessionHandle, SessionOptions } from '../../contracts/host.ts';
import type { JobDefinition, TakenRun } from '../../contracts/job-store.ts';
import type { Outcome } from '../../contracts/outcome.ts';
import { CRON_PLATFORM } from '../../contracts/platform.ts';
import { StoreError, type Session } from '../../contracts/session-store.ts';
import { SUSPENDED } from '../../contracts/turn.ts';
import { composeMessage } from './compose.ts';
import type { CronDeps, FoundChats } from './contract.ts';
import { planResult, toRunEnd, type JobRunEnd } from './result.ts';
import type { JobScriptResult } from './run-script.ts';

const MAX_CRASHES = 3;
/** The tools of a chat that others read. */
const SHARED_TOOLSET = 'hermes-guest';

export interface AgentRunEnd {
  readonly end: JobRunEnd | undefined;
  /** A turn had an outcome, and with it went what goes out. */
  readonly isPlanned: boolean;
}
export interface AgentRunDeps extends CronDeps {
  readonly found: FoundChats;
}

/**
 * Has the agent do a job, in a session of its own. A run that has its session goes on in it: the turn that was cut off is
 * finished, never begun again. No end when the program stops before it is over.
 */
export async function runAgent(
  taken: TakenRun,
  script: JobScriptResult | undefined,
  deps: AgentRunDeps,
  signal: AbortSignal,
): Promise<AgentRunEnd> {
  const { claim, run } = taken;
  const { host, clock, settings } = deps;
  const { store } = host;
  const seconds = settings['cron.inactivity_timeout'];
  let isStalled = false;
  const planAnswer: PlanAnswer = async ({ isFinal, outcome, sessionId, turnId }, readFile) => {
    if (!isFinal) return [];
    const [job] = await store.jobs.find(run.jobId);
    const end = toRunEnd(outcome, isStalled ? seconds : undefined);
    return (await planResult(run, end, { chats: deps.found, job, deps, from: { sessionId, turnId, readFile } })).deliveries;
  };
  await using handle = await openRunSession(run, deps, planAnswer);
  if (handle === undefined) return { end: failed('its session was removed.'), isPlanned: false };
  if (run.sessionId === undefined) {
    const context = { root: deps.root, zone: deps.zone, now: await store.jobs.now(), jobs: store.jobs };
    const message = await composeMessage(run, script, handle, context);
    const replyTo = { job: run.jobId, instant: run.instant };
    const item = { sessionId: handle.session.id, content: message.content, mode: 'queue', origin: 'cron', key: 'run', replyTo } as const;
    await store.jobs.start(claim, item);
  }
  const stop = new AbortController();
  const stall = (): void => {
    isStalled = true;
    stop.abort('interrupted');
  };
  using watch = seconds > 0 ? watchStall({ idleMs: seconds * 1_000, inToolMs: seconds * 1_000 }, clock, stall) : undefined;
  const outcome = await followTurn(handle, AbortSignal.any([signal, stop.signal]), (event) => watch?.saw(event));
  if (outcome === SUSPENDED) return { end: undefined, isPlanned: false };
  // The turn is left as it was: it is gone on with when the store takes writes again.
  if (outcome?.exitReason === 'store_failed') throw new StoreError('io', outcome.text);
  const settled = outcome ?? findOutcome(dropRewound(await store.entries(handle.session.id)));
  await handle.end('exit').catch(() => false);
  if (settled === undefined) return { end: failed('its session has no outcome.'), isPlanned: false };
  return { end: toRunEnd(settled, isStalled ? seconds : undefined), isPlanned: true };
}

const failed = (why: string): JobRunEnd => ({ state: 'failed', text: '', why, isSilent: false });

/** Goes on with what waits in the session. Nothing is given when it was over already. */
async function followTurn(
  handle: SessionHandle,
  signal: AbortSignal,
  saw: (event: Parameters<ReturnType<typeof watchStall>['saw']>[0]) => void,
): Promise<Outcome | typeof SUSPENDED | undefined> {
  const events = handle.resume(signal);
  for (;;) {
    const { value, done } = await events.next();
    if (signal.reason === SUSPENDED) {
      // Left where it is: the next process goes on with it.
      await events.return(undefined);
      return SUSPENDED;
    }
    if (done === true) return value;
    saw(value);
  }
}

/** The session of a run: the one it has, or a new one. `undefined` when the one it had is gone. */
async function openRunSession(run: TakenRun['run'], deps: AgentRunDeps, planAnswer: PlanAnswer): Promise<SessionHandle | undefined> {
  const { host } = deps;
  const session = await findRunSession(run, deps);
  if (session === 'gone') return undefined;
  const cwd = findRunFolder(run, deps);
  const kept = session ?? (await createKeySession(run, cwd, deps));
  return host.openSession({
    ...deps.session,
    ...(await jobOptions(run.job, deps)),
    ...(kept === undefined ? { title: run.jobName, cwd } : { session: kept }),
    platform: CRON_PLATFORM,
    planAnswer,
    maxCrashes: MAX_CRASHES,
  });
}

/** The job's own folder, else that of the settings where it is named in full, else one of Hermes. A key's jobs never work in the owner's. */
function findRunFolder({ job, jobId }: TakenRun['run'], { root, settings }: AgentRunDeps): string {
  const named = settings['terminal.cwd'] ?? '';
  const folder = job.cwd ?? (job.key === undefined && isAbsolute(named) ? named : undefined);
  if (folder !== undefined) return folder;
  const own = join(root, 'workspaces', `cron-${jobId}`);
  makeFolder(own);
  return own;
}

/** What a key's jobs cost is the key's. */
async function createKeySession({ job, jobName }: TakenRun['run'], cwd: string, { host }: AgentRunDeps): Promise<Session | undefined> {
  if (job.key === undefined) return undefined;
  const session = { source: CRON_PLATFORM, platform: CRON_PLATFORM, cwd, model: '', provider: '', title: shortenTitle(jobName) };
  return host.store.runs.createSession({ owner: job.key, session, facts: {} });
}

async function findRunSession({ sessionId }: TakenRun['run'], { host }: AgentRunDeps): Promise<Session | 'gone' | undefined> {
  if (sessionId === undefined) return undefined;
  return (await host.store.find(sessionId)).find(({ id }) => id === sessionId) ?? 'gone';
}

/** What is the owner's stands only where the owner alone reads the result, and no tool tells it elsewhere. */
async function jobOptions(job: JobDefinition, { settings, found, findKey }: AgentRunDeps): Promise<Partial<SessionOptions>> {
  const { model = settings['cron.model'], provider = settings['cron.provider'] } = job;
  const isPrivate = found.targets.every((target) => target.isPrivate);
  const limits = job.key === undefined ? undefined : await findKey(job.key);
  const toolsets = job.toolsets ?? limits?.toolsets ?? (isPrivate ? undefined : [SHARED_TOOLSET]);
  return {
    ...((model !== '' || provider !== '') && {
      model: { ...(model !== '' && { model }), ...(provider !== '' && { provider }) },
    }),
    ...(toolsets !== undefined && { toolsets }),
    ...((!isPrivate || limits?.hasMemory === false) && { memory: false }),
    ...(limits?.allowance !== undefined && { allowance: limits.allowance }),
  };
}
