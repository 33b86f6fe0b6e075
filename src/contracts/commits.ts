import type { Entry } from './entry.ts';
import type { LogChange } from './session-store.ts';

/** A step of a session that is durable now. */
export interface SessionCommit {
  readonly sessionId: string;
  readonly change: LogChange;
  readonly entries: readonly Entry[];
}
/**
 * Looks on at what every session of a host makes durable, children included, in whichever face. It is called after the commit
 * and changes nothing: what it throws is dropped, and nobody waits for it.
 */
export type ObserveCommit = (commit: SessionCommit) => void;
