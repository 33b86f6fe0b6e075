import { join, relative } from 'node:path';
import { isSameState, readState, type FileState } from './file-state.ts';
import type { GuardedLook, SeenFile } from './look.ts';
import { readStartCommits, type StartCommits } from './owner-versions.ts';
import type { Repository } from './repository.ts';

/** What is known as the owner's own: guarded files as they are to be, and what they were in the course of the session. */
export interface KnownFiles {
  readonly files: ReadonlyMap<string, SeenFile>;
  /** By git folder, those that commands made included. */
  readonly repositories: ReadonlyMap<string, Repository>;
  /** Versions that may come back. */
  readonly earlier: ReadonlyMap<string, readonly FileState[]>;
  /** By the common git folder; a repository that a command made has none. */
  readonly started: ReadonlyMap<string, StartCommits>;
  isStartFolder(path: string): boolean;
  remember(path: string, file: SeenFile | undefined): void;
  /** As it was put there just now. What somebody has written since is nobody's: the next look finds it. */
  rememberPut(path: string, like: SeenFile | undefined, put: FileState | undefined): void;
  /** Everything is the owner's as it is. */
  accept(now: GuardedLook): void;
  /** Repositories that commands made are known from now on. */
  learn(now: GuardedLook): void;
  /** Its files are known where it is now; another one in its place begins anew. */
  forget(old: Repository, moved: Repository | undefined): void;
}
const MAX_EARLIER = 20;

export function createKnownFiles(): KnownFiles {
  const files = new Map<string, SeenFile>();
  const earlier = new Map<string, readonly FileState[]>();
  const started = new Map<string, StartCommits>();
  const repositories = new Map<string, Repository>();
  let startFolders: ReadonlySet<string> | undefined;
  const remember = (path: string, file: SeenFile | undefined): void => {
    const old = files.get(path);
    if (old !== undefined && old.state !== file?.state) earlier.set(path, [...(earlier.get(path) ?? []), old.state].slice(-MAX_EARLIER));
    if (file === undefined) files.delete(path);
    else files.set(path, file);
  };
  return {
    files,
    repositories,
    earlier,
    started,
    isStartFolder: (path) => startFolders?.has(path) === true,
    remember,
    rememberPut: (path, like, put) => {
      if (put === undefined || like === undefined) return remember(path, undefined);
      const state = readState(path, undefined, 0);
      remember(path, { ...like, state: state !== undefined && isSameState(state, put) ? state : { ...put, stamp: '' } });
    },
    accept: (now) => {
      for (const [path, each] of now.repositories)
        if (!repositories.has(path) && !started.has(each.common)) started.set(each.common, readStartCommits(each));
      repositories.clear();
      for (const [path, each] of now.repositories) repositories.set(path, each);
      startFolders ??= now.folders;
      for (const path of files.keys()) if (!now.files.has(path)) remember(path, undefined);
      for (const [path, file] of now.files) remember(path, file);
    },
    learn: (now) => {
      for (const [path, each] of now.repositories) repositories.set(path, each);
    },
    forget: (old, moved) => {
      for (const [path, file] of [...files].filter(([each]) => each.startsWith(`${old.gitFolder}/`))) {
        files.delete(path);
        const to = moved === undefined ? undefined : join(moved.gitFolder, relative(old.gitFolder, path));
        if (to !== undefined && moved !== undefined) files.set(to, { ...file, path: to, gitFolder: moved.gitFolder });
      }
      const commits = started.get(old.common);
      if (moved !== undefined && commits !== undefined) started.set(moved.common, commits);
      repositories.delete(old.gitFolder);
    },
  };
}
