import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { realPath } from '../../../base/real-path.ts';
import { identifyFolder, tryLstat } from './file-state.ts';
import type { ListFolder } from './folders.ts';
import type { GuardedKind } from './table.ts';

/** A folder that git takes settings and hooks from. */
export interface Repository {
  readonly gitFolder: string;
  /** Where the settings and hooks of a linked worktree are; the same folder otherwise. */
  readonly common: string;
  /** Absent for a bare one. */
  readonly worktree?: string;
  /** Tells it from another one under the same name. */
  readonly identity: string;
}
/** How a change is judged: as a whole, setting by setting, or by where it leads. */
export type ComparisonRule = 'whole' | 'settings' | 'link';
export interface GuardedPath {
  readonly path: string;
  readonly what: GuardedKind;
  readonly rule: ComparisonRule;
  /** The git folder it belongs to. */
  readonly gitFolder?: string;
  /** An ordinary file by its name, which counts because this link or config file leads to it. */
  readonly via?: string;
  /** It can do something only with such a text. */
  readonly counts?: RegExp;
  /** One that commands made is nobody's; whoever had one before runs it. */
  readonly isFineWhenNew?: true;
}

/** The repository a `.git` stands for, whatever that is; nothing when it leads nowhere. */
export function openRepository(git: string, worktree: string | undefined): Repository | undefined {
  const found = tryLstat(git);
  const folder = found?.isFile() === true ? resolveGitFile(git) : found?.isSymbolicLink() === true ? realPath(git) : git;
  const identity = folder === undefined ? '' : identifyFolder(folder);
  if (folder === undefined || identity === '') return undefined;
  return { gitFolder: folder, common: resolveCommon(folder), identity, ...(worktree !== undefined && { worktree }) };
}

const resolveGitFile = (path: string): string | undefined => {
  const named = parseGitFile(readSmall(path));
  return named === undefined ? undefined : realPath(resolve(dirname(path), named));
};
export const parseGitFile = (text: string | undefined): string | undefined => /^gitdir: ([^\n]+?)\r?\n*$/.exec(text ?? '')?.[1];

const resolveCommon = (gitFolder: string): string => {
  const named = readSmall(join(gitFolder, 'commondir'))?.trimEnd();
  return named === undefined || named === '' ? gitFolder : (realPath(resolve(gitFolder, named)) ?? gitFolder);
};

function readSmall(path: string): string | undefined {
  const found = tryLstat(path);
  if (found?.isFile() !== true || found.size > 4_096n) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The nearest repository above a folder, which git finds from there. */
export function findRepositoryAbove(folder: string): Repository | undefined {
  for (let above = dirname(folder), last = folder; above !== last; last = above, above = dirname(above)) {
    const found = openRepository(join(above, '.git'), above);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Everything of a git folder that git runs, or that leads it elsewhere. Names that are not there now are left out by whoever looks. */
export function listRepositoryPaths({ gitFolder, common }: Repository, list: ListFolder): readonly GuardedPath[] {
  const folders = [...new Set([gitFolder, common])];
  return folders.flatMap((folder) => [
    ...FILES.map(({ name, ...row }) => ({ ...row, path: join(folder, name), gitFolder: folder })),
    ...listHooks(join(folder, 'hooks'), folder, list),
    ...['remotes', 'branches'].flatMap((name) =>
      [...(list(join(folder, name))?.names ?? [])].map((file) => whole('git config', join(folder, name, file), folder)),
    ),
    ...(list(join(folder, 'worktrees'))?.folders ?? []).flatMap((name): GuardedPath[] => {
      const at = join(folder, 'worktrees', name);
      return [
        { path: join(at, 'config.worktree'), what: 'git config', rule: 'settings', gitFolder: folder },
        { path: join(at, 'commondir'), what: 'git link', rule: 'link', gitFolder: folder },
      ];
    }),
  ]);
}

/** A line of a rebase that runs a command. */
const RUNS_COMMAND = /^[ \t]*(?:x|exec)[ \t]/m;
/** Any other strategy is a program that git starts when the owner goes on. */
const OTHER_STRATEGY = /^(?!(?:ort|recursive|resolve|octopus|ours|subtree)\s*$)[^]/;
const NAMES_STRATEGY = /^[ \t]*strategy[ \t]*=(?![ \t]*"?(?:ort|recursive|resolve|octopus|ours|subtree)"?[ \t]*$)/im;
const FILES: readonly (Omit<GuardedPath, 'path'> & { readonly name: string })[] = [
  { name: 'rebase-merge/git-rebase-todo', what: 'git program', rule: 'whole', counts: RUNS_COMMAND },
  { name: 'rebase-merge/strategy', what: 'git program', rule: 'whole', counts: OTHER_STRATEGY },
  { name: 'sequencer/opts', what: 'git program', rule: 'whole', counts: NAMES_STRATEGY },
  { name: 'config', what: 'git config', rule: 'settings' },
  { name: 'config.worktree', what: 'git config', rule: 'settings' },
  { name: 'commondir', what: 'git link', rule: 'link' },
  { name: 'info/attributes', what: 'git config', rule: 'whole' },
  { name: 'objects/info/alternates', what: 'git config', rule: 'whole' },
  // A link in the place of the folder brings all its hooks with it.
  { name: 'hooks', what: 'git hook', rule: 'whole' },
];
const whole = (what: GuardedKind, path: string, gitFolder: string): GuardedPath => ({ path, what, rule: 'whole', gitFolder });

/** Git gives examples with every repository, and runs none of them. */
const listHooks = (folder: string, gitFolder: string, list: ListFolder): readonly GuardedPath[] =>
  [...(list(folder)?.names ?? [])]
    .filter((name) => !name.endsWith('.sample'))
    .map((name) => whole('git hook', join(folder, name), gitFolder));

/** Git folders of submodules, below that of their project. */
export function listModules(gitFolder: string, list: ListFolder): readonly string[] {
  const found: string[] = [];
  const open = (list(join(gitFolder, 'modules'))?.folders ?? []).map((name) => join(gitFolder, 'modules', name));
  for (let folder = open.shift(); folder !== undefined && found.length < MAX_MODULES; folder = open.shift()) {
    const items = list(folder);
    if (items === undefined) continue;
    // A submodule whose name has a slash in it lies deeper.
    if (items.names.has('HEAD')) found.push(folder, ...listModules(folder, list));
    else if (folder.split('/').length < MAX_DEPTH) open.push(...items.folders.map((name) => join(folder, name)));
  }
  return found;
}
const MAX_MODULES = 500;
const MAX_DEPTH = 64;
