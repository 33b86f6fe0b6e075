import { CONTEXT_FILE_NAMES, CONTEXT_RULES } from '../../../base/context-file-names.ts';

/** A kind of project file. Of each folder the first name with words in it speaks; one kind only reaches the prompt. */
export interface ContextKind {
  readonly kind: 'hermes' | 'agents' | 'claude' | 'cursor';
  readonly names: readonly string[];
  /**
   * Also looked for in the folders above, up to the root of the git repository: `nearest` takes the first file met on the way up,
   * `all` takes those of every folder, from the root down.
   */
  readonly parents?: 'nearest' | 'all';
  /** A folder whose files with this ending, in its subfolders too, are all taken, by name, after the named file. */
  readonly rules?: { readonly folder: string; readonly ending: string };
}

/** In order of rank: the first kind with anything to say wins. SOUL.md is no project file and stands nowhere here. */
export const CONTEXT_KINDS: readonly ContextKind[] = [
  { kind: 'hermes', names: CONTEXT_FILE_NAMES.hermes, parents: 'nearest' },
  { kind: 'agents', names: CONTEXT_FILE_NAMES.agents, parents: 'all' },
  { kind: 'claude', names: CONTEXT_FILE_NAMES.claude },
  { kind: 'cursor', names: CONTEXT_FILE_NAMES.cursor, rules: CONTEXT_RULES },
];

/** Figures of the seed, but for the two marked as ours. */
export const CONTEXT_LIMITS = {
  /** Characters of one file, SOUL.md too. */
  file: 20_000,
  /** Ours. Characters of all files together: a folder of rules must not fill the window. */
  together: 60_000,
  /** Ours. Files of a rules folder that are read at all. */
  rules: 100,
} as const;
