import { toErrorMessage } from '../../base/errors.ts';
import { identifyProcess } from '../../base/process-identity.ts';
import type { JobRun, TakenRun } from '../../contracts/job-store.ts';
import { isStoreError } from '../../contracts/session-store.ts';
import { runAgent, type AgentRunEnd } from './agent-run.ts';
import type { CronDeps, FoundChats } from './contract.ts';
import { endLeftScript } from './end-script.ts';
import { planResult, toJobResult, type JobRunEnd } from './result.ts';
import { runScript, type JobScriptResult } from './run-script.ts';

/**
 * Does one run to its end and stores what came of it. `undefined` when the program stops first: the run is given back and gone
 * on with later. Never rejects.
 */
export async function runJob(taken: TakenRun, deps: CronDeps, signal: AbortSignal): Promise<JobRun | undefined> {
  const { claim, run } = taken;
  const { jobs } = deps.host.store;
  try {
    const found = await findChats(taken, deps);
    const { end, isPlanned } = await perform(taken, found, deps, signal);
    if (end === undefined) {
      await jobs.release(claim);
      return undefined;
    }
    const sessionId = isPlanned ? (await jobs.runs({ runId: run.id }))[0]?.sessionId : undefined;
    const [job] = await jobs.find(run.jobId);
    // What an agent said was planned in the commit that stored its outcome.
    const { deliveries } = isPlanned ? { deliveries: [] } : await planResult(run, end, { chats: found, job, deps });
    const undelivered = end.isSilent || found.problems.length === 0 ? undefined : found.problems.join(' ');
    if (undelivered !== undefined) deps.log(`job ${run.jobName} (${run.jobId}): the result could not be sent everywhere: ${undelivered}`);
    const result = toJobResult({ ...run, ...(sessionId !== undefined && { sessionId }) }, end, undelivered, deps);
    return await jobs.finish(claim, result, deliveries);
  } catch (error) {
    // Somebody else goes on with it.
    if (isStoreError(error, 'fenced')) return undefined;
    deps.log(`job ${run.jobName} (${run.jobId}): its run could not be finished and is tried again: ${toErrorMessage(error)}`);
    await deps.clock.sleep(AGAIN_MS, signal);
    await jobs.release(claim).catch(() => undefined);
    return undefined;
  }
}

/** A disk that is full, a store that is locked: after so long it is tried again. */
const AGAIN_MS = 10_000;

/** A list of chats that cannot be read is no reason not to run. */
async function findChats({ run }: TakenRun, { chats }: CronDeps): Promise<FoundChats> {
  try {
    return await chats.find(run.job);
  } catch (error) {
    return { targets: [], problems: [toErrorMessage(error)] };
  }
}

async function perform(taken: TakenRun, found: FoundChats, deps: CronDeps, signal: AbortSignal): Promise<AgentRunEnd> {
  const { run } = taken;
  // What its last runner started would otherwise go on beside the next run.
  if (run.script !== undefined && !(await endLeftScript(run.script, deps.clock, signal))) return { end: undefined, isPlanned: false };
  const refusal = await refuseKey(run.job, deps);
  if (refusal !== undefined) return { end: { state: 'failed', text: '', why: refusal, isSilent: false }, isPlanned: false };
  const script = run.sessionId === undefined ? await runJobScript(taken, deps, signal) : undefined;
  const ended = script && endWithScript(run, script, signal);
  if (ended !== undefined) return { end: ended, isPlanned: false };
  try {
    return await runAgent(taken, script, { ...deps, found }, signal);
  } catch (error) {
    if (isStoreError(error)) throw error;
    // No model can be reached, or its folder is gone: no turn was begun.
    return { end: { state: 'failed', text: '', why: toErrorMessage(error), isSilent: false }, isPlanned: false };
  }
}

/** Keys are taken back, and given less: what was made with one may then do no more either. */
async function refuseKey({ key, toolsets = [] }: TakenRun['run']['job'], { findKey }: CronDeps): Promise<string | undefined> {
  if (key === undefined) return undefined;
  const limits = await findKey(key);
  return limits === undefined
    ? `the API key "${key}" it was made with is no longer there. Remove the job, or set the key up again.`
    : limits.checkToolsets(toolsets);
}

/** A script is run once: where somebody died meanwhile, nobody knows how far it got. */
async function runJobScript(
  { claim, run }: TakenRun,
  { root, settings, host }: CronDeps,
  signal: AbortSignal,
): Promise<JobScriptResult | undefined> {
  const { script } = run.job;
  if (script === undefined) return undefined;
  const begun: Promise<boolean>[] = [];
  const hold = (pid: number): Promise<boolean> => {
    const begins = host.store.jobs.beginScript(claim, identifyProcess(pid));
    begun.push(begins);
    return begins.catch(() => false);
  };
  const timeoutMs = settings['cron.script_timeout_seconds'] * 1_000;
  const result = await runScript(script, { root, timeoutMs, signal, jobId: run.jobId, hold });
  // Whatever the store threw is thrown here.
  const [isBegun = true] = await Promise.all(begun);
  return isBegun ? result : { output: '', isSilent: false, failure: { why: INTERRUPTED, complaints: '' } };
}
const INTERRUPTED = 'the program ended while it ran. How far it got is not known, so it was not started again.';

/** What a script alone decides; `undefined` when the agent goes on. */
function endWithScript({ job }: TakenRun['run'], script: JobScriptResult, signal: AbortSignal): JobRunEnd | undefined {
  const { output, isSilent, failure } = script;
  if (failure !== undefined && (job.noAgent === true || signal.aborted)) {
    const text = [output, failure.complaints].filter((part) => part !== '').join('\n\n');
    return { state: 'failed', text, why: `its script ${job.script} failed: ${failure.why}`, isSilent: false };
  }
  if (failure === undefined && isSilent) return { state: 'done', text: output, isSilent: true };
  return job.noAgent === true ? { state: 'done', text: output, isSilent: output.trim() === '' } : undefined;
}
