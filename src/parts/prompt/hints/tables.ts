import { CONTEXT_FILE_NAMES } from '../../../base/context-file-names.ts';

/** A folder's file of rules: the first with words in it. */
export const HINT_NAMES: readonly string[] = [...CONTEXT_FILE_NAMES.agents, ...CONTEXT_FILE_NAMES.claude, ...CONTEXT_FILE_NAMES.cursor];

/** Folders that hold other people's work, copies or the output of a tool. What lies below them is not the project. */
export const FOREIGN_FOLDERS: ReadonlySet<string> = new Set(
  [
    'node_modules bower_components jspm_packages site-packages dist-packages vendor third_party Pods .yarn .pnpm-store',
    '.git .hg .svn .jj .bzr CVS',
    'venv .venv virtualenv .tox .nox .direnv .bundle .gradle .terraform',
    'dist build target out .next .nuxt .svelte-kit .turbo .parcel-cache DerivedData coverage htmlcov',
    '__pycache__ .cache .pytest_cache .mypy_cache .ruff_cache .eggs backups .backups',
  ].flatMap((names) => names.split(' ')),
);

export const HINT_LIMITS = {
  /** Characters of one hint. */
  file: 8_000,
  /** Folders above the one that was touched. */
  parents: 5,
  /** Ours. Hints after one call; a folder that found no room has its turn when it is touched again. */
  perCall: 8,
  /** Ours. Paths of one call that are looked at. */
  paths: 64,
  /** Ours. Sessions whose visits are kept in memory; an older one is recalled from its log. */
  sessions: 64,
} as const;

/** Arguments of tools that are paths, and those that say where a command runs. */
export const PATH_ARGUMENTS: readonly string[] = ['path', 'file_path', 'workdir', 'cwd'];
export const PLACE_ARGUMENTS: readonly string[] = ['workdir', 'cwd'];
