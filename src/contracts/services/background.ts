import type { Runtime } from '../runtime.ts';
import type { Session } from '../session-store.ts';

/** Sessions that work beside the one somebody talks to. They close with the host, and can be gone on with like any other. */
export interface BackgroundService {
  /** Opens a session in the folder of another, on the route its next turn takes, and sends it these words. A notice tells how it ended. */
  start(beside: Session, runtime: Runtime, words: string): Promise<Session>;
  /** Those that were started here, oldest first. */
  list(): readonly { readonly session: Session; readonly done: boolean }[];
}

/** Reads again what is read once when a host opens. */
export interface ReloadService {
  /** Reads the settings again and connects to the MCP servers they name, for sessions that are opened from now on. */
  servers(): Promise<{ readonly servers: readonly string[] }>;
}
