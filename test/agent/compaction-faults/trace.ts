import type { Entry } from '../../../src/contracts/entry.ts';
import type { ModelRequest } from '../../../src/contracts/provider.ts';
import type { LogChange, SessionStore } from '../../../src/contracts/session-store.ts';
import type { Life, Moments } from './moments.ts';

/** What a story keeps of itself, across all its processes. */
export interface Trace {
  /** Every entry a commit said it had added, whether or not anybody lived to hear it. */
  readonly log: Entry[];
  /** Entries told to the one who listens. */
  readonly heard: Entry[];
  readonly changes: LogChange[];
  /** What the model was sent: at which moment, and how far the log went. */
  readonly requests: { readonly request: ModelRequest; readonly at: number; readonly through: number }[];
  /** How often each call did what cannot be undone. */
  readonly deeds: Map<string, number>;
  /** What came out of an agent as an exception: a process that fell over. */
  readonly thrown: unknown[];
}
export const newTrace = (): Trace => ({ log: [], heard: [], changes: [], requests: [], deeds: new Map(), thrown: [] });

/** The store with a moment before and after all a turn asks of it. */
export function faultyStore(store: SessionStore, life: Life, { reach }: Moments, trace: Trace): SessionStore {
  const around = async <Result>(label: string, work: () => Promise<Result>): Promise<Result> => {
    await reach(life, `store ${label} before`);
    const result = await work();
    await reach(life, `store ${label} after`);
    return result;
  };
  return {
    ...store,
    commit: (claim, change) =>
      around('commit', async () => {
        const added = await store.commit(claim, change);
        trace.changes.push(change);
        trace.log.push(...added);
        return added;
      }),
    calls: (filter) => around('calls', () => store.calls(filter)),
    entries: (id, afterSeq) => around('entries', () => store.entries(id, afterSeq)),
    turn: (id) => around('turn', () => store.turn(id)),
    waiting: (id) => around('waiting', () => store.waiting(id)),
    claim: (id) => around('claim', () => store.claim(id)),
    release: (claim) => around('release', () => store.release(claim)),
  };
}
