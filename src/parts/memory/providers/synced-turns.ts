/** Keeps a turn from being stored twice where the service has no key for it. */
export interface SyncedTurns {
  /**
   * Adds a turn unless the service has it. Turns of a session come in order, so the service is asked only when this process
   * cannot know: for the first turn of a session, and after something went wrong.
   */
  once(
    sessionId: string,
    key: string,
    turn: { readonly isKnown: () => Promise<boolean>; readonly add: () => Promise<unknown> },
  ): Promise<void>;
  forget(sessionId: string): void;
}

export function createSyncedTurns(): SyncedTurns {
  /** The last turn of a session that is known to be stored. */
  const last = new Map<string, string>();
  return {
    once: async (sessionId, key, { isKnown, add }) => {
      const before = last.get(sessionId);
      if (before === key) return;
      last.delete(sessionId);
      if (before !== undefined || !(await isKnown())) await add();
      last.set(sessionId, key);
    },
    forget: (sessionId) => void last.delete(sessionId),
  };
}
