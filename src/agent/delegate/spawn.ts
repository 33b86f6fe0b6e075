import { toErrorMessage } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { dropRewound, type Entry } from '../../contracts/entry.ts';
import type { AgentEvent, Outcome } from '../../contracts/event.ts';
import { labelSources, type UserMessage } from '../../contracts/message.ts';
import type { Artefacts, ChildResult, ChildTask, SpawnChild } from '../../contracts/ports.ts';
import type { Session, SessionStore } from '../../contracts/session-store.ts';
import type { Agent } from '../agent.ts';
import { toFileToolArtefacts, collectFileWork, type FileWork } from '../artefacts.ts';
import { toChildResult, findOutcome } from './report.ts';
import { watchStall, type StallTimeouts } from './stall.ts';

/** What a parent needs to have children. */
export interface SpawnDeps {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly patience: StallTimeouts;
  /** Milliseconds a child may take in all; 0 means as long as it works. */
  readonly timeoutMs: number;
  /** Throws, with words for the parent, when the task cannot be begun. */
  begin(task: ChildTask): Promise<Session>;
  /** Toolsets of the task that give a child no tool. */
  withheld(task: ChildTask): readonly string[];
  /** What a child did to files, by its log and by whatever else is known of its calls. */
  follow(session: Session, work: FileWork): Promise<Artefacts>;
  /** An agent for this child alone: its own conversation, its own terminal. */
  open(session: Session, task: ChildTask): Promise<ChildAgent>;
}
export interface ChildAgent extends AsyncDisposable {
  readonly agent: Agent;
}

/**
 * Runs tasks in children. A child is a session of its own in the same store: its log outlives the parent, and the same
 * task asked again after a crash finds the child that was begun, finished or not, instead of beginning anew.
 */
export const createSpawn =
  (deps: SpawnDeps): SpawnChild =>
  async (task) => {
    const startedAt = deps.clock.now();
    try {
      const session = await childOf(task, deps);
      const before = dropRewound(await deps.store.entries(session.id));
      const outcome = findOutcome(before) ?? (await run(session, before, task, deps));
      const entries = dropRewound(await deps.store.entries(session.id));
      const artefacts = await deps.follow(session, collectFileWork(entries, session.cwd));
      const seconds = (deps.clock.now() - startedAt) / 1000;
      return toChildResult({ session, entries, outcome, seconds, artefacts, withheld: deps.withheld(task) });
    } catch (error) {
      return failed(toErrorMessage(error), (deps.clock.now() - startedAt) / 1000);
    }
  };

/** The child this task was given to before, or a new one. Known by the parent's call, so that a repeat is no second child. */
async function childOf(task: ChildTask, { store, begin }: SpawnDeps): Promise<Session> {
  const key = `child:${task.parentId}:${task.key}`;
  const known = await store.fact(key);
  const [found] = known === undefined ? [] : await store.find(known);
  if (found !== undefined) return found;
  const session = await begin(task);
  await store.learn(key, session.id);
  return session;
}

/** Why a child was told to stop by its parent. */
type Stop = 'timeout' | 'stalled';

async function run(session: Session, before: readonly Entry[], task: ChildTask, deps: SpawnDeps): Promise<Outcome | Stop> {
  await using child = await deps.open(session, task);
  const controller = new AbortController();
  let stop: Stop | undefined;
  const end = (why: Stop) => {
    stop ??= why;
    controller.abort('interrupted');
  };
  using watch = watchStall(deps.patience, deps.clock, () => end('stalled'));
  const timer = deps.timeoutMs > 0 ? setTimeout(() => end('timeout'), deps.timeoutMs) : undefined;
  const forward = () => controller.abort(task.signal.reason);
  if (task.signal.aborted) forward();
  task.signal.addEventListener('abort', forward, { once: true });
  try {
    const outcome = await drained(eventsOf(child.agent, session, before, task, controller.signal), (event) => {
      watch.saw(event);
      const note = noteOf(event);
      if (note !== undefined) task.progress(note, session.id);
    });
    return stop ?? outcome;
  } finally {
    clearTimeout(timer);
    task.signal.removeEventListener('abort', forward);
  }
}

/** A child that was begun goes on; one that was not gets its task. */
const eventsOf = (agent: Agent, session: Session, before: readonly Entry[], task: ChildTask, signal: AbortSignal) =>
  before.length === 0 ? agent.send(session, taskMessage(task), signal) : agent.resume(session, signal);

async function drained(events: AsyncGenerator<AgentEvent, Outcome | undefined>, see: (event: AgentEvent) => void): Promise<Outcome> {
  for (;;) {
    const { value, done } = await events.next();
    if (done !== true) see(value);
    else if (value !== undefined) return value;
    else throw new Error('the child had nothing to go on with');
  }
}

/** The task in the child's conversation. Whatever the parent had read from outside may speak through it. */
function taskMessage({ goal, context, taint }: ChildTask): UserMessage {
  const words = [goal.trim(), ...(context === undefined || context.trim() === '' ? [] : [`Context:\n${context.trim()}`])].join('\n\n');
  return { role: 'user', content: [{ type: 'text', text: words, ...labelSources(taint, 'model') }] };
}

/** What the parent's face shows of a child. */
function noteOf(event: AgentEvent): string | undefined {
  if (event.type === 'tool_started') return event.call.name;
  if (event.type === 'notice') return event.text;
  return undefined;
}

const failed = (error: string, seconds: number): ChildResult => ({
  status: 'failed',
  summary: '',
  error,
  artefacts: toFileToolArtefacts([]),
  withheld: [],
  steps: 0,
  seconds,
  foreign: [],
});
