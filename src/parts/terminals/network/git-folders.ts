import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { realPath } from '../../../base/real-path.ts';
import { quoteShellWord } from '../../../base/shell.ts';
import { isWithin } from '../../../base/within.ts';
import type { ShownFolder } from '../sandbox/mounts.ts';
import type { FolderInside } from '../sandbox/network-port.ts';
import type { GitRemote } from './git-remotes.ts';
import { SHIM_NAME } from './git-ssh-shim.ts';

export interface FolderRemotesOptions {
  readonly remotes: readonly GitRemote[];
  /** Folders commands may write to: git works there without us. */
  readonly writable: readonly string[];
  readonly home: string;
  /** What stays out of sight whatever a remote is called. */
  readonly hidden: readonly string[];
}

/** The git folders of remotes that are folders of this machine, by their real paths. */
export function listFolderRemotes({ remotes, writable, home, hidden }: FolderRemotesOptions): readonly string[] {
  const own = realPath(home) ?? home;
  const found = remotes.flatMap((remote) => (remote.type === 'folder' ? (findGitFolderAt(remote.path) ?? []) : []));
  return [...new Set(found)].filter(
    (path) => !isWithin(path.replace(/\/\.git$/, ''), own) && ![...writable, ...hidden].some((each) => isWithin(each, path)),
  );
}

/** Where git looks for the repository that a path means, in this order. */
const SUFFIXES = ['/.git', '', '.git/.git', '.git'];
function findGitFolderAt(path: string): string | undefined {
  const found = SUFFIXES.map((suffix) => `${path}${suffix}`).find(
    (each) => statSync(each, { throwIfNoEntry: false })?.isDirectory() === true && PARTS.every((name) => existsSync(join(each, name))),
  );
  return found === undefined ? undefined : realPath(found);
}
const PARTS = ['HEAD', 'objects', 'refs'];

export interface FolderPushOptions {
  readonly folders: readonly string[];
  /** Our programs for commands. */
  readonly bin: FolderInside;
  /** Nothing is mounted: git is told of the folder by a variable. */
  readonly isShared: boolean;
  readonly bash: string;
  readonly path: string;
}

const PROGRAM = 'git-receive-pack';
/** Where git's own programs stand inside, while ours are in their place. */
const INSIDE_PROGRAMS = '/run/hermes/git-core';

/**
 * Lets git inside push to remotes that it sees read-only: what git starts for a push is a program of ours, which leads here.
 * Git finds its programs in a folder of its own before all others, so that folder is laid over with links and one exception.
 */
export async function layFolderRemotes({ folders, bin, bash, path, isShared }: FolderPushOptions): Promise<LaidRemotes> {
  const shown = folders.map((each) => ({ at: each, from: each }));
  const own = folders.length === 0 ? undefined : await findGitPrograms(path);
  if (own === undefined) return { shown, variables: {} };
  writeFileSync(join(bin.here, PROGRAM), createReceivePackShim(bash, folders, bin.inside, isShared), { mode: 0o755 });
  const programs = join(bin.here, 'git-core');
  mkdirSync(programs);
  for (const name of readdirSync(own)) {
    const real = realPath(join(own, name));
    if (real === undefined || name === PROGRAM) continue;
    symlinkSync(isWithin(own, real) && !isShared ? join(INSIDE_PROGRAMS, relative(own, real)) : real, join(programs, name));
  }
  symlinkSync(`${bin.inside}/${PROGRAM}`, join(programs, PROGRAM));
  if (isShared) return { shown, variables: { GIT_EXEC_PATH: programs } };
  return { shown: [...shown, { at: own, from: programs }, { at: INSIDE_PROGRAMS, from: own }], variables: {} };
}

interface LaidRemotes {
  readonly shown: readonly ShownFolder[];
  readonly variables: Readonly<Record<string, string>>;
}

async function findGitPrograms(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--exec-path'], { env: { PATH: path }, cwd: '/' });
    return realPath(stdout.trim());
  } catch {
    return undefined;
  }
}

/**
 * In the place of git's own, for the remotes of the project; any other repository is git's own business. Where nothing is mounted
 * a folder looks writable that is not.
 */
const createReceivePackShim = (bash: string, folders: readonly string[], bin: string, isShared: boolean): string => `#!${bash}
# Takes a push to a remote of this project to Hermes, which looks at what it would lose there.
for at in ${SUFFIXES.map((suffix) => `"$1"${suffix}`).join(' ')}; do
  real=$(CDPATH= cd -P -- "$at" 2>/dev/null && pwd -P) && [ -e "$real/objects" ] || continue
  case $real in
    ${folders.map(quoteShellWord).join('|')}) ${isShared ? '' : '[ -w "$real" ] || '}exec ${bin}/${SHIM_NAME} --folder "$real" ;;
  esac
  break
done
exec git receive-pack "$@"
`;
