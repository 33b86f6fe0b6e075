import type { AgentEvent } from '../../../../contracts/event.ts';
import type { Entry, OutcomeEntry } from '../../../../contracts/entry.ts';
import { NO_USAGE, type Usage } from '../../../../contracts/message.ts';
import type { NewRunEvent, Run, RunStore } from '../../../../contracts/run-store.ts';
import type { SessionStore } from '../../../../contracts/session-store.ts';
import { nextPrefixes } from './prefix.ts';
import { describeEnd, type DescribedEnd } from './end-run.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { toRunUsage } from './run-events.ts';
import { followSpoken } from './spoken.ts';
import type { RunWriter } from './writer.ts';

/** A run whose turn is at work, or has been. */
export interface ActiveRun {
  readonly run: Run;
  /** Gives whether the run is over with it. */
  hear(event: AgentEvent): boolean;
  /** Something that is told beside the turn. */
  tell(event: NewRunEvent): void;
  /** What the log has of its turn and it did not tell. Gives whether the run is over with it. */
  catchUp(entries: readonly Entry[]): boolean;
  end(how: DescribedEnd, seq?: number): void;
}

/** One that begins now. */
export const beginActiveRun = (run: Run, writer: Pick<RunWriter, 'add'>): ActiveRun => {
  writer.add({ runId: run.id, events: [], state: 'running' });
  return createActiveRun(run, { writer, told: [], usage: NO_USAGE });
};

type RunLogStore = { readonly runs: Pick<RunStore, 'events'> } & Pick<SessionStore, 'calls' | 'entries'>;

/** One that another process left, as far as it came. */
export async function takeOverRun(run: Run, store: RunLogStore, writer: Pick<RunWriter, 'add'>): Promise<ActiveRun> {
  const told = await store.runs.events(run.id, 0, Number.MAX_SAFE_INTEGER);
  const calls = (await store.calls({ sessionId: run.sessionId })).filter(({ turnId }) => turnId === run.turnId);
  const usage = calls.map((call) => call.usage).reduce(addUsage, NO_USAGE);
  const active = createActiveRun(run, { writer, told, usage });
  writer.add({ runId: run.id, events: [], state: 'running', afterBreak: true });
  return active;
}

/** The entries of the turn of a run. */
export const readTurnEntries = async ({ sessionId, turnId }: Run, store: Pick<SessionStore, 'entries'>): Promise<readonly Entry[]> =>
  (await store.entries(sessionId)).filter((entry) => entry.turnId === turnId);

interface ActiveRunOptions {
  readonly writer: Pick<RunWriter, 'add'>;
  readonly told: readonly NewRunEvent[];
  readonly usage: Usage;
}

function createActiveRun(run: Run, { writer, told, usage: before }: ActiveRunOptions): ActiveRun {
  const recorder: Recorder = createRecorder(told);
  let [usage, spoken] = [before, told.reduce(followSpoken, undefined)];
  const tell = (...events: readonly NewRunEvent[]): void => {
    if (events.length === 0) return;
    spoken = events.reduce(followSpoken, spoken);
    writer.add({ runId: run.id, events });
  };
  const end = ({ state, event, result }: DescribedEnd, seq?: number): void => {
    const prefixes = nextPrefixes(run.request, [spoken?.text ?? '', result.output]);
    writer.add({ runId: run.id, events: [event], end: { state, result, prefixes, ...(seq !== undefined && { seq }) } });
  };
  const endBy = (entry: Entry & OutcomeEntry): true => {
    end(describeEnd(entry, recorder.textOf, toRunUsage(usage)), entry.seq);
    return true;
  };
  const active: ActiveRun = {
    run,
    end,
    tell,
    hear: (event) => {
      if (event.type === 'sampled') usage = addUsage(usage, event.usage);
      tell(...recorder.hear(event));
      if (event.type === 'asking') writer.add({ runId: run.id, events: [], state: 'waiting_for_approval' });
      if (event.type === 'asked') writer.add({ runId: run.id, events: [], state: 'running' });
      return event.type === 'entry' && event.entry.type === 'outcome' && endBy(event.entry);
    },
    catchUp: (entries) => {
      tell(...recorder.catchUp(entries));
      const outcome = entries.find((entry): entry is Entry & OutcomeEntry => entry.type === 'outcome');
      return outcome !== undefined && endBy(outcome);
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
