import type { RemotePlace } from '../places/shell-context.ts';
import type { Call } from './call.ts';

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
