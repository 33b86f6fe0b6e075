import type { NestedAction } from '../call/handed.ts';
import type { CodeToken } from './tokens.ts';
import type { CodeNames } from './values.ts';

/** A call in a piece of code: its whole name, its arguments, and what it is called on when that is another call. */
export interface CodeCall {
  readonly name: string;
  readonly args: readonly (readonly CodeToken[])[];
  readonly on: readonly CodeToken[];
  readonly names: CodeNames;
  /** All of it, as it stands. */
  readonly code: string;
  /** The whole code mentions this. */
  mentions(pattern: RegExp): boolean;
}

export type CodeAct = (call: CodeCall) => readonly NestedAction[];
