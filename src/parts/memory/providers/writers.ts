import type { MemoryScene } from '../../../contracts/memory-provider.ts';

/** Which sessions may write: those of people. Helpers, jobs and the like read along and leave nothing behind. */
export interface SessionWriters {
  note(scene: Pick<MemoryScene, 'sessionId' | 'role'>): void;
  mayWrite(sessionId: string): boolean;
  /** For a tool that writes: throws with words for the model. */
  demand(sessionId: string): void;
}
export function createSessionWriters(): SessionWriters {
  const readers = new Set<string>();
  const mayWrite = (sessionId: string): boolean => !readers.has(sessionId);
  return {
    note: ({ sessionId, role }) => void (role === 'primary' ? readers.delete(sessionId) : readers.add(sessionId)),
    mayWrite,
    demand: (sessionId) => {
      if (!mayWrite(sessionId)) throw new Error('This session can read the memory but not change it. Only a session of a person can.');
    },
  };
}
