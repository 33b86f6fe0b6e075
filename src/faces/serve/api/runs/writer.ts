import type { Clock } from '../../../../base/clock.ts';
import { toErrorMessage } from '../../../../base/errors.ts';
import type { NewRunEvent, RunProgress, RunStore } from '../../../../contracts/run-store.ts';
import { createRunEvent, toKnownEvent } from './run-events.ts';

/**
 * Keeps what all runs tell, in one commit at a time however many there are. The first words of a pause go out at once; while
 * words keep coming, those of a short while are kept together. Nobody is shown what is not kept.
 */
export interface RunWriter extends AsyncDisposable {
  add(progress: RunProgress): void;
  /** Settles when everything added so far is kept. */
  flush(): Promise<void>;
}
export interface RunWriterDeps {
  readonly runs: Pick<RunStore, 'append'>;
  readonly clock: Clock;
  readonly log: (words: string) => void;
  /** There is more to read of these runs. */
  readonly onKept: (runIds: readonly string[]) => void;
}

/** Faster than a person sees, and twenty commits a second for all streams together. */
const BATCH_MS = 50;
/** A store that takes nothing is asked again after this long. */
const RETRY_MS = 1_000;

export function createRunWriter({ runs, clock, log, onKept }: RunWriterDeps): RunWriter {
  const closing = new AbortController();
  let pending = new Map<string, RunProgress>();
  let working: Promise<void> | undefined;
  let keptAt = -Infinity;
  let hurry = new AbortController();

  const keep = async (): Promise<void> => {
    const batch = [...pending.values()];
    pending = new Map();
    try {
      await runs.append(batch);
      keptAt = clock.now();
      onKept(batch.map(({ runId }) => runId));
    } catch (error) {
      const later = pending;
      pending = new Map(batch.map((progress) => [progress.runId, progress]));
      for (const progress of later.values()) merge(pending, progress);
      log(`what runs tell could not be kept, and is tried again: ${toErrorMessage(error)}`);
      await clock.sleep(RETRY_MS, closing.signal);
    }
  };
  const work = async (): Promise<void> => {
    while (pending.size > 0) {
      await clock.sleep(Math.min(BATCH_MS, keptAt + BATCH_MS - clock.now()), hurry.signal);
      hurry = new AbortController();
      // What comes in the same moment goes along.
      await new Promise((done) => setImmediate(done));
      await keep();
      if (closing.signal.aborted) break;
    }
    working = undefined;
  };
  return {
    add: (progress) => {
      merge(pending, progress);
      // Somebody waits for the end.
      if (progress.end !== undefined) hurry.abort();
      working ??= work();
    },
    flush: async () => {
      for (let last = working; last !== undefined; last = working) await last;
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      hurry.abort();
      await working;
      if (pending.size > 0) await keep();
    },
  };
}

function merge(pending: Map<string, RunProgress>, { runId, events, ...more }: RunProgress): void {
  const before = pending.get(runId);
  pending.set(runId, { ...before, runId, ...more, events: events.reduce(joinEvent, before?.events ?? []) });
}

/** Words that follow each other are told as one. */
function joinEvent(events: readonly NewRunEvent[], next: NewRunEvent): readonly NewRunEvent[] {
  const [last, event] = [events.at(-1), toKnownEvent(next)];
  const before = last && toKnownEvent(last);
  if (before?.type !== event.type || (event.type !== 'message.delta' && event.type !== 'reasoning.delta')) return [...events, next];
  const delta = before.type === 'message.delta' || before.type === 'reasoning.delta' ? before.data.delta + event.data.delta : '';
  return [...events.slice(0, -1), createRunEvent(event.type, { delta })];
}
