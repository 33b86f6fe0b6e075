import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { toErrorMessage } from '../../base/errors.ts';
import type {
  AgentResult,
  EnvironmentSettings,
  EnvironmentTask,
  LoadedEnvironment,
  Reward,
  ScoredAttempt,
  TaskPlace,
} from '../../contracts/environment.ts';
import type { Host, ModelSelection, ProviderRoute, SessionHandle } from '../../contracts/host.ts';
import type { Outcome } from '../../contracts/outcome.ts';
import type { TokenTrace } from '../../contracts/token-trace.ts';
import { readAgentEnd, type AgentEnd } from './agent-end.ts';
import { assurePlace, isPlaceError, openPlace } from './attempt-place.ts';
import { createSessionOptions, modelOptions, openFreshPlace } from './attempt-session.ts';
import { toFileName } from './datasets/file-name.ts';
import { createRewardContext, type RewardContextDeps } from './reward-context.ts';
import type { Slots } from './slots.ts';
import { usesPlace } from './toolsets.ts';
import { readAgentResult } from './trajectory.ts';

/** A model for one attempt: its server may tell the tokens of just that conversation. */
export interface RolloutModel {
  readonly selection?: ModelSelection;
  readonly provider?: ProviderRoute;
  /** What was sent and generated so far, where the server tells it. */
  trace?(): TokenTrace;
}
/** What holds for one attempt in place of the settings. */
export interface RolloutLimits {
  /** Most tokens of its sequence, where the server tells tokens. */
  readonly maxTokens?: number;
}
export interface RolloutDeps<Task extends EnvironmentTask> {
  readonly host: Pick<Host, 'openSession' | 'store'>;
  readonly name: string;
  readonly environment: LoadedEnvironment<Task>;
  readonly settings: EnvironmentSettings;
  /** A model of its own for each attempt. */
  readonly openModel: (limits?: RolloutLimits) => RolloutModel;
  /** A folder in which each attempt gets one of its own. */
  readonly folder: string;
  readonly now: () => number;
  /** What containers of the run carry (`key=value`), so that the next run finds those of one that was killed. */
  readonly containerLabel?: string;
  /** What all attempts of the run share, those of groups and those of evaluations; absent where nobody else makes any. */
  readonly slots?: Slots;
}
export interface RolloutRequest<Task> {
  readonly task: Task;
  readonly attempt: number;
  /** The same for all attempts of a group. */
  readonly toolsets: readonly string[] | undefined;
  /** Most seconds of the model and its judge together; laying out the task has as many by itself. */
  readonly seconds?: number;
  readonly limits?: RolloutLimits;
  readonly signal: AbortSignal;
}
/** An attempt, and all that was said in it. */
export interface Rollout {
  readonly scored: ScoredAttempt;
  readonly result: AgentResult;
}

/**
 * Has the agent try a task, and judges it. Never throws for anything that goes wrong with model, place or judge: that is an attempt
 * with a reward of 0 and an `error`. When the signal stops it, it throws: such an attempt was none.
 */
export const runRollout = <Task extends EnvironmentTask>(deps: RolloutDeps<Task>, request: RolloutRequest<Task>): Promise<Rollout> =>
  deps.slots === undefined ? attemptTask(deps, request) : deps.slots.run(() => attemptTask(deps, request), request.signal);

async function attemptTask<Task extends EnvironmentTask>(deps: RolloutDeps<Task>, request: RolloutRequest<Task>): Promise<Rollout> {
  const { task, attempt, signal } = request;
  const { environment, settings } = deps;
  const place = environment.place?.(task) ?? {};
  const folder = join(deps.folder, `${toFileName(task.id)}-${attempt}`);
  // What an attempt left that was cut off is no beginning.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const model = deps.openModel(request.limits);
  const { id, category, difficulty } = task;
  const scored = (outcome: JudgedAttempt): ScoredAttempt => ({
    task: id,
    ...(category !== undefined && { category }),
    ...(difficulty !== undefined && { difficulty }),
    attempt,
    ...outcome,
  });
  let session: SessionHandle | undefined;
  try {
    session = await deps.host.openSession({ ...createSessionOptions(deps, request, place), cwd: folder, ...modelOptions(model) });
    const beginning = await layOutTask(session, deps, request);
    const begun = deps.now();
    const end = await askAgent(session, deps, request, { place, beginning });
    const agentSeconds = (deps.now() - begun) / 1_000;
    const trace = model.trace?.() ?? null;
    const result = readAgentResult(await deps.host.store.entries(session.session.id), end.outcome, {
      system: settings.system_prompt,
      trace,
    });
    signal.throwIfAborted();
    const judged = await judge(session, deps, request, { result, place, beginning, end, agentSeconds });
    const usage = await readUsage(session, deps);
    return {
      result,
      scored: scored({ ...judged, ...usage, agentSeconds, turnsUsed: result.turnsUsed, finishedNaturally: result.finishedNaturally }),
    };
  } catch (error) {
    if (signal.aborted) throw error;
    return { result: NO_RESULT, scored: scored({ ...NOTHING_JUDGED, error: toErrorMessage(error) }) };
  } finally {
    await session?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}

type JudgedAttempt = Omit<ScoredAttempt, 'task' | 'category' | 'difficulty' | 'attempt'>;
const NOTHING_JUDGED: JudgedAttempt = {
  reward: 0,
  metrics: {},
  turnsUsed: 0,
  finishedNaturally: false,
  agentSeconds: 0,
  rewardSeconds: 0,
  tokensIn: 0,
  tokensOut: 0,
};
const NO_RESULT: AgentResult = {
  messages: [],
  turnsUsed: 0,
  finishedNaturally: false,
  reasoningPerTurn: [],
  toolErrors: [],
  managedState: null,
};

/**
 * Opens the place where one is needed and puts into it what the task needs; none of that is the model's time. Gives where the model
 * begins, as far as it is known.
 */
async function layOutTask<Task extends EnvironmentTask>(
  session: SessionHandle,
  { environment, settings }: RolloutDeps<Task>,
  { task, toolsets, signal, seconds = Number.POSITIVE_INFINITY }: RolloutRequest<Task>,
): Promise<Beginning> {
  const most = Math.min(settings.terminal_lifetime, seconds);
  const over = AbortSignal.any([signal, AbortSignal.timeout(most * 1_000)]);
  const layOut = async (): Promise<Beginning> => {
    // A model whose tools all fail would do badly and be charged for it.
    const beginning = usesPlace(toolsets) ? { start: await openPlace(session, over) } : {};
    await environment.prepare?.(task, createRewardContext({ ...beginning, session, signal: over, seconds: settings.terminal_timeout }));
    return beginning;
  };
  return Promise.race([layOut(), rejectOn(over, `the task was not laid out within ${most} s`)]);
}
type Beginning = Pick<RewardContextDeps, 'start'>;

/** Has the agent work on the task, with all the user has to say, until it is done or its time is over. */
async function askAgent<Task extends EnvironmentTask>(
  session: SessionHandle,
  { host, environment, settings }: RolloutDeps<Task>,
  { task, signal, seconds = Number.POSITIVE_INFINITY }: RolloutRequest<Task>,
  { place, beginning }: Pick<AgentDone, 'place' | 'beginning'>,
): Promise<AgentEnd> {
  const agentSeconds = Math.min(place.agentSeconds ?? settings.terminal_lifetime, seconds);
  const deadline = AbortSignal.timeout(agentSeconds * 1_000);
  const over = AbortSignal.any([signal, deadline]);
  const context = createRewardContext({ ...beginning, session, signal: over, seconds: settings.terminal_timeout });
  for (let words: string | undefined = environment.format(task); ;) {
    const outcome = await runTurn(session, words, over);
    if (deadline.aborted) return { outcome, error: `the agent was stopped after ${agentSeconds} s`, isCutOff: false, isOutgrown: false };
    if (outcome.type !== 'answered' || environment.follow === undefined) return readAgentEnd(outcome);
    const { messages } = readAgentResult(await host.store.entries(session.session.id), outcome, { system: null, trace: null });
    words = await environment.follow(task, messages, context);
    if (words === undefined) return readAgentEnd(outcome);
  }
}

async function runTurn(session: SessionHandle, words: string, signal: AbortSignal): Promise<Outcome> {
  const events = session.send(await session.message(words), signal);
  for (;;) {
    const { value, done } = await events.next();
    if (done === true) return value;
  }
}

interface AgentDone {
  readonly result: AgentResult;
  readonly place: TaskPlace;
  readonly beginning: Beginning;
  readonly end: AgentEnd;
  readonly agentSeconds: number;
}

/**
 * A model that said nothing or was cut off has done nothing to be judged by, and one whose conversation outgrew its window was cut in the
 * middle: a reward would be for half an attempt. One that ran out of time may have finished the task.
 */
async function judge<Task extends EnvironmentTask>(
  session: SessionHandle,
  deps: RolloutDeps<Task>,
  request: RolloutRequest<Task>,
  { result, place, beginning, end: { error, isCutOff, isOutgrown }, agentSeconds }: AgentDone,
): Promise<Pick<JudgedAttempt, 'reward' | 'metrics' | 'note' | 'rewardSeconds' | 'error' | 'lost' | 'outgrown'>> {
  const { environment, settings, now } = deps;
  const { task, toolsets, signal, seconds = Number.POSITIVE_INFINITY } = request;
  const begun = now();
  if (isOutgrown) return { reward: 0, metrics: {}, rewardSeconds: 0, outgrown: true, ...(error !== undefined && { error }) };
  if (error !== undefined && (isCutOff || result.turnsUsed === 0)) return { reward: 0, metrics: {}, rewardSeconds: 0, error, lost: true };
  // Whoever took all the time there is has a moment left to be judged in.
  const rewardSeconds = Math.min(place.rewardSeconds ?? settings.terminal_lifetime, Math.max(MIN_REWARD_SECONDS, seconds - agentSeconds));
  const deadline = AbortSignal.timeout(rewardSeconds * 1_000);
  const over = AbortSignal.any([signal, deadline]);
  await using fresh = new AsyncDisposableStack();
  const openFresh = async () => {
    const opened = fresh.use(await openFreshPlace(deps, request, place, fresh));
    return { session: opened, start: await openPlace(opened, over) };
  };
  const context = createRewardContext({ ...beginning, session, signal: over, seconds: settings.terminal_timeout, openFresh });
  try {
    const judging = async () => {
      if (usesPlace(toolsets)) await assurePlace(session, openFresh, over);
      return environment.reward(task, result, context);
    };
    const reward = await Promise.race([judging(), rejectOn(over, `the judge was stopped after ${rewardSeconds} s`)]);
    return { ...readReward(reward), rewardSeconds: (now() - begun) / 1_000, ...(error !== undefined && { error }) };
  } catch (trouble) {
    signal.throwIfAborted();
    const lost = isPlaceError(trouble);
    return { reward: 0, metrics: {}, rewardSeconds: (now() - begun) / 1_000, error: toErrorMessage(trouble), ...(lost && { lost }) };
  }
}

const MIN_REWARD_SECONDS = 5;
const rejectOn = (signal: AbortSignal, words: string): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error(words)), { once: true }));

function readReward(given: Reward): Pick<JudgedAttempt, 'reward' | 'metrics' | 'note'> {
  const { reward, metrics = {}, note } = typeof given === 'number' ? { reward: given } : given;
  if (!Number.isFinite(reward)) throw new Error(`the judge gave ${String(reward)} as the reward, which is not a number.`);
  return { reward, metrics, ...(note !== undefined && { note }) };
}

async function readUsage<Task extends EnvironmentTask>(
  { session }: SessionHandle,
  { host }: RolloutDeps<Task>,
): Promise<Pick<JudgedAttempt, 'tokensIn' | 'tokensOut'>> {
  const calls = await host.store.calls({ sessionId: session.id });
  return {
    tokensIn: calls.reduce((sum, { usage }) => sum + usage.input + usage.cacheRead + usage.cacheWrite, 0),
    tokensOut: calls.reduce((sum, { usage }) => sum + usage.output, 0),
  };
}
