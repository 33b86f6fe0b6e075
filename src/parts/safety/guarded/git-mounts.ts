import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import type { WallProfile } from '../../../contracts/wall.ts';
import { readState, tryLstat } from './file-state.ts';
import { parseGitConfig } from '../../../base/git-config.ts';
import { createLooker } from './look.ts';
import { findRepositoryAbove, openRepository, type Repository } from './repository.ts';

/** A path inside a sandbox that is a mount of its own: it cannot be moved away, and an `ro` one not be changed. */
export interface GitMount {
  readonly path: string;
  readonly how: 'rw' | 'ro';
}
export interface GitMounts {
  readonly mounts: readonly GitMount[];
  /** Git folders outside of the workspace that commands may write to by these. */
  readonly gitFolders: readonly string[];
}

/**
 * The repositories of a workspace as a sandbox mounts them: git folders that cannot be moved away, with hooks that cannot be
 * changed. Settings are compared instead, because git replaces that file. Where somebody watches, git also works in a part of
 * a repository, in a linked worktree, and with a remote that is a folder, as they are named now.
 */
export function listGitMounts(workspace: string, profile: WallProfile): GitMounts {
  const main = openRepository(join(workspace, '.git'), workspace) ?? findRepositoryAbove(workspace);
  const isOpened = profile === 'attended' && main !== undefined && isSafeToOpen(main);
  const remotes = isOpened ? listFileRemotes(main).map(({ common }) => common) : [];
  const inside = [...createLooker({ roots: [workspace] })().repositories.values()]
    .flatMap(listFolders)
    .filter((path) => isWithin(workspace, path));
  const elsewhere = [...(isOpened ? listFolders(main) : []), ...remotes].filter((path) => !isWithin(workspace, path));
  const all = [...new Set([...inside, ...elsewhere])];
  const isInner = (path: string): boolean => all.some((other) => other !== path && isWithin(other, path));
  return {
    mounts: all.flatMap((path): GitMount[] => [
      ...(isInner(path) ? [] : [{ path, how: 'rw' } as const]),
      ...readOnlyParts(path, remotes.includes(path) && elsewhere.includes(path)),
    ]),
    gitFolders: elsewhere,
  };
}
const listFolders = ({ gitFolder, common }: Repository): readonly string[] => [common, gitFolder];

/** The agent never gets at a repository that is no part of a project: the home itself, or above it. */
const isSafeToOpen = ({ gitFolder, worktree }: Repository): boolean => !isWithin(worktree ?? gitFolder, realPath(homedir()) ?? homedir());

/** Nobody changes hooks in passing. A folder that is missing is made, so that none can be made there. */
function readOnlyParts(gitFolder: string, withConfig: boolean): readonly GitMount[] {
  const hooks = join(gitFolder, 'hooks');
  if (tryLstat(join(gitFolder, 'objects')) === undefined) return [];
  if (tryLstat(hooks) === undefined) tryMake(hooks);
  return [
    ...(tryLstat(hooks)?.isDirectory() === true ? [{ path: hooks, how: 'ro' } as const] : []),
    ...(withConfig && tryLstat(join(gitFolder, 'config'))?.isFile() === true
      ? [{ path: join(gitFolder, 'config'), how: 'ro' } as const]
      : []),
  ];
}

const tryMake = (folder: string): void => {
  try {
    mkdirSync(folder);
  } catch {
    // A repository we may not write to is none that commands may.
  }
};

/** Remotes of a repository that are folders of this machine. */
function listFileRemotes({ common, worktree }: Repository): readonly Repository[] {
  const text = readState(join(common, 'config'), undefined, 0)?.content.toString('latin1') ?? '';
  return (parseGitConfig(text) ?? []).flatMap(({ section, name, value = '' }): readonly Repository[] => {
    if (section !== 'remote' || !/^(?:push)?url$/.test(name) || /^[^/:]+:(?!\/\/)|::/.test(value)) return [];
    if (/^[a-z+]+:\/\//i.test(value) && !value.startsWith('file://')) return [];
    const named = value.replace(/^file:\/\//, '');
    const path = realPath(isAbsolute(named) ? named : resolve(worktree ?? common, named));
    const found =
      path === undefined ? [] : [join(path, '.git'), path, `${path}.git`].flatMap((each) => openRepository(each, undefined) ?? []);
    return found.filter((each) => isGitFolder(each.gitFolder) && each.gitFolder === each.common && isSafeToOpen(each)).slice(0, 1);
  });
}
const isGitFolder = (path: string): boolean => ['HEAD', 'objects', 'refs'].every((name) => tryLstat(join(path, name)) !== undefined);
