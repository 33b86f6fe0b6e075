import type { RemotePlace, ShellContext } from '../places/shell-context.ts';

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

/** What a call hands on: a line for a shell, or another command. */
export type NestedAction =
  | {
      readonly type: 'line';
      readonly line: string;
      /** In a shell of its own. */ readonly apart: boolean;
      /** Elsewhere, where the owner may well want to stop the machine. */ readonly remote?: RemotePlace;
      readonly positional?: readonly string[];
      /** What `$0` is there. */ readonly zero?: string;
    }
  | {
      readonly type: 'words';
      readonly words: readonly string[];
      readonly fed?: readonly string[];
      /** Where it runs, when not where the call does. */ readonly cwd?: string;
      readonly remote?: RemotePlace;
    };

/** The text of a file as far as this very line has written it. */
export type TextsOf = (word: string) => readonly string[] | undefined;
export type FindNestedActions = (call: Call, textsOf: TextsOf) => readonly NestedAction[];

export const toLineAction = (text: string, apart = true): NestedAction => ({ type: 'line', line: text, apart });
export const toCommandAction = (list: readonly string[]): NestedAction => ({ type: 'words', words: list });
