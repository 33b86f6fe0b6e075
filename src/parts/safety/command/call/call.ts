import type { ShellContext } from '../places/shell-context.ts';

/** One program with the words it is called with, as far as they are known before it runs. */
export interface Call {
  /** The name it goes by, whatever folder it is called from. */
  readonly name: string;
  /** As it was called: with a folder it is a file. */
  readonly path: string;
  readonly args: readonly string[];
  /** Variables set for this call alone, as `name=value`. */
  readonly settings: readonly string[];
  /** Files its output goes to, and those of them that are replaced. */
  readonly writes: readonly string[];
  readonly replaces: readonly string[];
  readonly reads: readonly string[];
  /** Text it is fed, marked where it is not known. */
  readonly fed: readonly string[];
  /** Its input comes from a pipe. */
  readonly piped: boolean;
  /** The programs before it in its pipeline, and whether others come behind it. */
  readonly from: readonly string[];
  readonly feeds: boolean;
  readonly background: boolean;
  /** Words from outside that stand for more than is written: what `xargs` adds. */
  readonly place: ShellContext;
}

/** One class of danger, in a table with the others. */
export interface CommandRule {
  readonly type: 'ask' | 'refuse';
  readonly reason: string;
  /** The class by which an owner may allow its like; without one, the reason names it. */
  readonly key?: string;
  matches(call: Call, place: ShellContext): boolean;
}

export const toProgramName = (word: string): string => (word.split('/').at(-1) ?? '').replace(/\.exe$/i, '');
