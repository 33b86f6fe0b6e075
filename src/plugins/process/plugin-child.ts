import type { Readable, Writable } from 'node:stream';
import type { UseLook } from '../../base/watch-use.ts';

/** A plugin's process, wherever it was started. */
export interface PluginChild {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles when it has ended, with how: `exit code 1`, `SIGKILL`. */
  readonly ended: Promise<string>;
  /** Where things lie for it. */
  readonly paths: { readonly folder: string; readonly data: string };
  /** What it and everything it started hold now. */
  look(): Promise<UseLook>;
  /** Ends it and everything it started, at once. */
  kill(): void;
}
/** Starts it. Throws, in words for the owner, when that is not possible. What is under way when it is stopped is ended. */
export type SpawnPlugin = (stop: AbortSignal) => Promise<PluginChild>;
