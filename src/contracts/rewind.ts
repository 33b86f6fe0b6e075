import type { ToolCall, UserMessage } from './message.ts';
import type { FileChange } from './undo.ts';

/** How far back: so many turns, or to a position right before a message that opened a turn. */
export type RewindTarget = { readonly turns: number } | { readonly toSeq: number };

/** What was taken back. Files stay as they are: a face names those that were changed and offers to roll them back. */
export interface RewoundTurns {
  readonly toSeq: number;
  /** The message that opened the first of the turns, to be edited or sent again. */
  readonly message: UserMessage;
  readonly turnIds: readonly string[];
  /** Every call made in them, also one that failed. */
  readonly calls: readonly ToolCall[];
  /** What those of them that write files, and did not fail, did; commands are not looked into. */
  readonly files: readonly FileChange[];
}
export type RewindResult = ({ readonly ok: true } & RewoundTurns) | { readonly ok: false; readonly why: string };
