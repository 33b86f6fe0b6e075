import type { AgentEvent } from '../../../../contracts/event.ts';
import type { Entry, OutcomeEntry } from '../../../../contracts/entry.ts';
import { NO_USAGE, type Usage } from '../../../../contracts/message.ts';
import type { NewRunEvent, Run, RunStore } from '../../../../contracts/run-store.ts';
import type { SessionStore } from '../../../../contracts/session-store.ts';
import { readStringAt } from '../../../../base/json.ts';
import { readClientTools, toCallId, type ClientCall } from './client-tools.ts';
import { nextPrefixes } from './prefix.ts';
import { createWaitingEnd, describeEnd, type DescribedEnd } from './end-run.ts';
import { judgeEnd } from './judge-end.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { createRunEvent, toKnownEvent, toRunUsage } from './run-events.ts';
import { followSpoken } from './spoken.ts';
import type { RunWriter } from './writer.ts';

/** The turn is over: the run with it, or it has posted another message. */
export type RunTurnEnd = 'over' | 'again';

/** A run whose turn is at work, or has been. */
export interface ActiveRun {
  readonly run: Run;
  hear(event: AgentEvent): RunTurnEnd | undefined;
  /** Something that is told beside the turn. */
  tell(event: NewRunEvent): void;
  /** What the log has of its turn and it did not tell. */
  catchUp(entries: readonly Entry[]): RunTurnEnd | undefined;
  /** The turn waits for the client from now on. */
  wait(calls: readonly Omit<ClientCall, 'id'>[]): void;
  end(how: DescribedEnd, seq?: number): void;
}

/** One that begins now. */
export const beginActiveRun = (run: Run, writer: Pick<RunWriter, 'add'>): ActiveRun => {
  writer.add({ runId: run.id, events: [], state: 'running' });
  return createActiveRun(run, { writer, before: [], told: [], usage: NO_USAGE });
};

type RunLogStore = { readonly runs: Pick<RunStore, 'events' | 'find'> } & Pick<SessionStore, 'calls' | 'entries'>;

/** One that another process left, as far as it came, or that goes on with the turn of another. */
export async function takeOverRun(run: Run, store: RunLogStore, writer: Pick<RunWriter, 'add'>): Promise<ActiveRun> {
  const told = await store.runs.events(run.id, 0, Number.MAX_SAFE_INTEGER);
  const calls = (await store.calls({ sessionId: run.sessionId })).filter(({ turnId, at }) => turnId === run.turnId && at >= run.at);
  const rejected = told.map(toKnownEvent).flatMap((event) => (event.type === 'answer.rejected' ? [event.data.spent] : []));
  const usage = [...rejected, ...calls.map((call) => call.usage)].reduce(addUsage, NO_USAGE);
  const active = createActiveRun(run, { writer, before: await readEarlier(run, store), told, usage });
  writer.add({ runId: run.id, events: [], state: 'running', afterBreak: true });
  return active;
}

/** What the runs have told whose turn this one goes on with. */
async function readEarlier({ request }: Run, store: RunLogStore): Promise<readonly NewRunEvent[]> {
  const id = readStringAt(request, 'continues');
  const before = id === undefined ? undefined : await store.runs.find(id);
  if (before === undefined) return [];
  return [...(await readEarlier(before, store)), ...(await store.runs.events(before.id, 0, Number.MAX_SAFE_INTEGER))];
}

/** The entries of the turn of a run. */
export const readTurnEntries = async ({ sessionId, turnId }: Run, store: Pick<SessionStore, 'entries'>): Promise<readonly Entry[]> =>
  (await store.entries(sessionId)).filter((entry) => entry.turnId === turnId);

interface ActiveRunOptions {
  readonly writer: Pick<RunWriter, 'add'>;
  /** What earlier runs of the turn told. */
  readonly before: readonly NewRunEvent[];
  readonly told: readonly NewRunEvent[];
  readonly usage: Usage;
}

function createActiveRun(run: Run, { writer, before, told, usage: spent }: ActiveRunOptions): ActiveRun {
  const recorder: Recorder = createRecorder([...before, ...told], new Set(readClientTools(run).map(({ name }) => name)));
  let [usage, spoken] = [spent, told.reduce(followSpoken, undefined)];
  const isLast = told.some(({ type }) => type === 'answer.rejected');
  const tell = (...events: readonly NewRunEvent[]): void => {
    if (events.length === 0) return;
    spoken = events.reduce(followSpoken, spoken);
    writer.add({ runId: run.id, events });
  };
  const end = ({ state, event, result }: DescribedEnd, seq?: number): void => {
    const prefixes = nextPrefixes(run.request, [spoken?.text ?? '', result.output]);
    writer.add({ runId: run.id, events: [event], end: { state, result, prefixes, ...(seq !== undefined && { seq }) } });
  };
  const endBy = (entry: Entry & OutcomeEntry): RunTurnEnd => {
    const judged = judgeEnd(describeEnd(entry, recorder.textOf, toRunUsage(usage)), run.request, isLast);
    if (!('fault' in judged)) {
      end(judged, entry.seq);
      return 'over';
    }
    writer.add({ runId: run.id, events: [createRunEvent('answer.rejected', { fault: judged.fault, spent: usage })], retry: judged.retry });
    return 'again';
  };
  const active: ActiveRun = {
    run,
    end,
    tell,
    wait: (calls) => {
      const asked = calls.map((call, index) => ({ id: toCallId(run.id, index), ...call }));
      end(createWaitingEnd(asked, spoken?.text ?? '', toRunUsage(usage)));
    },
    hear: (event) => {
      if (event.type === 'sampled') usage = addUsage(usage, event.usage);
      tell(...recorder.hear(event));
      if (event.type === 'asking') writer.add({ runId: run.id, events: [], state: 'waiting_for_approval' });
      if (event.type === 'asked') writer.add({ runId: run.id, events: [], state: 'running' });
      return event.type === 'entry' && event.entry.type === 'outcome' ? endBy(event.entry) : undefined;
    },
    catchUp: (entries) => {
      tell(...recorder.catchUp(entries));
      const outcome = entries.find((entry): entry is Entry & OutcomeEntry => entry.type === 'outcome');
      return outcome && endBy(outcome);
    },
  };
  return active;
}

const addUsage = (one: Usage, other: Usage): Usage => ({
  input: one.input + other.input,
  output: one.output + other.output,
  cacheRead: one.cacheRead + other.cacheRead,
  cacheWrite: one.cacheWrite + other.cacheWrite,
  reasoning: one.reasoning + other.reasoning,
});
