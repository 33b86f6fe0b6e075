import { join } from 'node:path';
import type { HeldChange } from '../../../contracts/wall.ts';
import { readState, tryLstat, type FileState } from './file-state.ts';
import { TICK_MS } from './folders.ts';
import { listUnwatched, setWatched } from './git-index.ts';
import type { GuardedLook } from './look.ts';
import { cutLines } from './preview.ts';
import { putState } from './put-back.ts';
import type { Repository } from './repository.ts';

/** Files that git was told not to look at: what becomes of them is in no status and no diff that the owner reads. */
export interface UnwatchedFiles {
  /** Those of now are the owner's. */
  accept(now: GuardedLook): void;
  /** Has git look again at what a command hid from it. */
  putBack(now: GuardedLook): readonly HeldChange[];
}

export function createUnwatchedFiles(): UnwatchedFiles {
  const known = new Map<string, ReadonlySet<string>>();
  const states = new Map<string, FileState>();
  const read = (path: string): FileState | undefined => {
    const state = readState(path, states.get(path), Date.now() - TICK_MS);
    if (state !== undefined) states.set(path, state);
    return state?.kind === 'file' ? state : undefined;
  };
  const write = (path: string, names: ReadonlySet<string>, isWatched: boolean): void => {
    const state = read(path);
    if (state !== undefined) putState(path, { ...state, content: setWatched(state.content, names, isWatched) });
  };
  const list = (path: string): readonly string[] => {
    const state = read(path);
    const found = (state === undefined ? undefined : LISTED.get(state)) ?? listUnwatched(state?.content ?? Buffer.alloc(0));
    if (state !== undefined) LISTED.set(state, found);
    return found;
  };
  const hold = ({ gitFolder, worktree }: Repository): readonly HeldChange[] => {
    const path = join(gitFolder, 'index');
    const before = known.get(gitFolder) ?? new Set();
    // A file that is not there is left out by a sparse checkout. While git writes the index, the next look is early enough.
    const isHidden = (name: string): boolean => !before.has(name) && worktree !== undefined && tryLstat(join(worktree, name)) !== undefined;
    const names = new Set(list(path).filter(isHidden));
    if (names.size === 0 || tryLstat(`${path}.lock`) !== undefined) return [];
    write(path, names, true);
    const preview = cutLines([...names].map((name) => `+ git does not look at ${name}`));
    return [
      {
        path,
        what: 'git index',
        change: 'changed',
        preview,
        apply: async () => {
          known.set(gitFolder, new Set([...before, ...names]));
          write(path, names, false);
        },
      },
    ];
  };
  return {
    accept: ({ repositories }) => {
      for (const { gitFolder } of repositories.values()) known.set(gitFolder, new Set(list(join(gitFolder, 'index'))));
    },
    putBack: ({ repositories }) => [...repositories.values()].flatMap(hold),
  };
}
/** A state that is the same need not be read again. */
const LISTED = new WeakMap<FileState, readonly string[]>();
