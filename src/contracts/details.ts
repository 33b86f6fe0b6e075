import type { Json } from './message.ts';

/**
 * What a call did, as plain data for faces: a panel, a card, a picture. It stands beside the call's message and never in it:
 * no wire carries it, and no search, summary, recall or export as data shows it; a page that a person reads may. Secrets are
 * redacted in it, and what would take more than its bound is left out whole, with a word on what it was.
 */
export type ToolDetails =
  | { readonly kind: 'diff'; readonly files: readonly FileDiff[] }
  /** The session's task list as the call left it. */
  | { readonly kind: 'tasks'; readonly tasks: readonly TodoItem[] }
  /** Files a person looks at or listens to. Paths are of the place where commands run. */
  | { readonly kind: 'media'; readonly items: readonly MediaItem[] }
  | CommandDetails
  /** A command that goes on in the background. */
  | { readonly kind: 'process'; readonly id: string; readonly pid: number }
  /** Child agents a call ran; each has a session of its own. */
  | { readonly kind: 'children'; readonly children: readonly { readonly status: string; readonly sessionId?: string }[] }
  /** Anything else, as its tool has it; a plugin's too. */
  | { readonly kind: 'data'; readonly data: Json }
  | { readonly kind: 'left_out'; readonly of: string; readonly chars: number };

export interface FileDiff {
  readonly path: string;
  readonly change: 'created' | 'changed' | 'deleted';
  /** A unified diff of the text; empty for bytes that are no text. */
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  /** The diff shows not all of the change. */
  readonly cut?: true;
}
export interface TodoItem {
  readonly id: string;
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled';
  /** Id of the task it belongs to. */
  readonly parent?: string;
}
export interface MediaItem {
  readonly path: string;
  readonly mime?: string;
}
export interface CommandDetails {
  readonly kind: 'command';
  /** `null` when it did not end by itself. */
  readonly exitCode: number | null;
  readonly ended: string;
  /** What the code means for this program, where that is known. */
  readonly meaning?: string;
  /** Where the shell stands afterwards. */
  readonly cwd: string;
  /** What the result leaves out of a long output, and the file that has all of it. */
  readonly omitted?: { readonly characters: number; readonly file?: string };
}
