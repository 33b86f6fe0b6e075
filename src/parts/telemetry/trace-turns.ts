import { toErrorMessage } from '../../base/errors.ts';
import type { ObserveCommit } from '../../contracts/commits.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { SpanExporterOptions, SpanSink } from './export-spans.ts';
import { createTurnFollower, type SettledTurn } from './settled-turns.ts';
import { describeTurn } from './turn-spans.ts';

export interface TurnTraces extends AsyncDisposable {
  readonly observe: ObserveCommit;
}

/** Tells a collector of every turn that ends: read from the log, so that also a turn which was cut off and finished here is told as a whole. */
export function traceTurns(
  store: Pick<SessionStore, 'find' | 'entries' | 'calls'>,
  options: SpanExporterOptions,
  notice: (words: string) => void,
): TurnTraces {
  const follow = createTurnFollower();
  let sink: Promise<SpanSink> | undefined;
  const openSink = async (): Promise<SpanSink> => (await import('./export-spans.ts')).openSpanExporter(options);
  const told = new Set<Promise<void>>();
  let hasFailed = false;
  const tell = async (turn: SettledTurn): Promise<void> => {
    const [session] = (await store.find(turn.sessionId)).filter(({ id }) => id === turn.sessionId);
    if (session === undefined) return;
    const entries = await store.entries(turn.sessionId, turn.fromSeq === undefined ? 0 : turn.fromSeq - 1);
    const calls = await store.calls({ sessionId: turn.sessionId, since: turn.startedAt });
    (await (sink ??= openSink())).add(describeTurn(turn, session, { entries, calls }));
  };
  return {
    observe: (commit) => {
      for (const turn of follow(commit)) {
        const telling: Promise<void> = tell(turn)
          .catch((error: unknown) => {
            if (!hasFailed) notice(`Traces could not be made: ${toErrorMessage(error)}`);
            hasFailed = true;
          })
          .finally(() => told.delete(telling));
        told.add(telling);
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.allSettled(told);
      await (await sink?.catch(() => undefined))?.[Symbol.asyncDispose]();
    },
  };
}
