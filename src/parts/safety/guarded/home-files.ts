import { homedir } from 'node:os';
import { join } from 'node:path';
import { realPath } from '../../../base/real-path.ts';
import { readState, tryLstat, type FileState } from './file-state.ts';
import { TICK_MS } from './folders.ts';
import type { GuardedPath } from './repository.ts';

/** What shells and editors read when they start. It lies in the home, but may lead into a project, as in a repository of such files. */
const NAMES =
  '.bashrc .bash_profile .bash_login .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .config/fish/config.fish .tmux.conf .vimrc .config/nvim/init.lua .config/nvim/init.vim'.split(
    ' ',
  );

/** Those of the owner as they are now, by where they really are. */
export const listHomeFiles = (): readonly (GuardedPath & { readonly state: FileState })[] =>
  NAMES.flatMap((name) => {
    const named = join(homedir(), name);
    // Most are not there, which a look at the name tells sooner.
    const path = tryLstat(named) === undefined ? undefined : realPath(named);
    const state = path === undefined ? undefined : readState(path, READ.get(path), Date.now() - TICK_MS);
    if (path === undefined || state?.kind !== 'file') return [];
    READ.set(path, state);
    return [{ path, what: 'start-up file', rule: 'whole', state }];
  });
/** A state that is the same need not be read again. */
const READ = new Map<string, FileState>();
