import type { StoreChange } from '../contracts/gateway-store.ts';
import type { SessionStore } from '../contracts/session-store.ts';

/** Hints get lost, and a process that dies gives none: so often is looked at the store without one. */
export const LOOK_MS = 2000;

/** Calls `look` for each hint that concerns somebody, and now and then. A store that gives no hints any more is still looked at. */
export function onChange(store: Pick<SessionStore, 'changes'>, concerns: (change: StoreChange) => boolean, look: () => void): Disposable {
  const over = new AbortController();
  const listen = async (): Promise<void> => {
    for await (const _ of store.changes(over.signal, concerns)) look();
  };
  void listen().catch(() => undefined);
  const timer = setInterval(look, LOOK_MS).unref();
  return {
    [Symbol.dispose]: () => {
      over.abort('over');
      clearInterval(timer);
    },
  };
}
