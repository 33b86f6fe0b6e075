import type { ToolCallInfo } from './safety.ts';

/** Keeps what a call is about to change, so that the owner can have it back. */
export interface UndoRecorder {
  /** Before a mutating call. Gives a notice when something could not be kept; the call goes on all the same. */
  before(call: ToolCallInfo, turnId: string): Promise<string | undefined>;
  /** After it, whatever came of it: what it left is what a rollback may take away again. */
  after(call: ToolCallInfo, turnId: string): Promise<void>;
}

/** What became of one file. */
export interface FileChange {
  /** Absolute. */
  readonly path: string;
  readonly fate: 'written' | 'deleted';
}
