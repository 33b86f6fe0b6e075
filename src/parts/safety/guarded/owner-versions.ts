import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './repository.ts';

/** Commits that branches and tags of a repository led to before any command ran. */
export type StartCommits = ReadonlySet<string>;

const MAX_REFS = 2_000;
const HASH = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g;

export function readStartCommits({ gitFolder, common }: Repository): StartCommits {
  const text = (path: string): string => {
    try {
      return readFileSync(path, 'latin1');
    } catch {
      return '';
    }
  };
  const names = ((): readonly string[] => {
    try {
      const items = readdirSync(join(common, 'refs'), { recursive: true, withFileTypes: true });
      return items.flatMap((item) => (item.isFile() ? [join(item.parentPath, item.name)] : []));
    } catch {
      return [];
    }
  })();
  const packed = text(join(common, 'packed-refs'));
  const loose = [join(gitFolder, 'HEAD'), ...names.slice(0, MAX_REFS)].map(text);
  return new Set([...loose.flatMap((each) => each.match(HASH) ?? []), ...(packed.match(HASH) ?? []).slice(0, MAX_REFS)]);
}

/** A tracked file as it is now, by its name in the repository. */
export interface TrackedVersion {
  readonly name: string;
  readonly content: Buffer;
  /** It is not there any more; this is what it was. */
  readonly isGone: boolean;
}

/**
 * Which of these files are as the repository had them before any command ran: in a commit that a branch led to then, or in the
 * one that is checked out, if it is older than those. Git's own names for commits cannot be made up. `started` is absent for a
 * repository that did not exist then: whoever fetched a whole project meant its files too, so that its own commit is enough.
 */
export async function findOwnerVersions(
  repository: Repository,
  started: StartCommits | undefined,
  files: readonly TrackedVersion[],
): Promise<ReadonlySet<string>> {
  const head = (await git(repository, ['rev-parse', '--verify', '--quiet', 'HEAD'])).trim();
  if (head === '') return new Set();
  const isOwnHead = started === undefined || (await isOlder(repository, head, started));
  const commits = [...(isOwnHead ? [head] : []), ...(started ?? [])].slice(0, MAX_COMMITS);
  const asked = commits.flatMap((commit) => files.flatMap((file) => (file.name.includes('\n') ? [] : [{ file, commit }])));
  const names = asked.map(({ file, commit }) => `${commit}:${file.name}\n`).join('');
  const answers = (await git(repository, ['cat-file', '--batch-check=%(objectname)'], names)).split('\n');
  const hashes = new Map(files.map(({ name, content }) => [name, hashBlob(content, head.length)]));
  const has = new Set(asked.flatMap(({ file }, at) => (answers[at] === hashes.get(file.name) ? [file.name] : [])));
  const isLeft = new Set(
    asked.flatMap(({ file, commit }, at) => (commit === head && answers[at]?.endsWith(' missing') === true ? [file.name] : [])),
  );
  // A file is gone as it should be when it belonged to the project, and what is checked out has none.
  return new Set(files.flatMap(({ name, isGone }) => (has.has(name) && (!isGone || (isOwnHead && isLeft.has(name))) ? [name] : [])));
}
const MAX_COMMITS = 500;

const hashBlob = (content: Buffer, length: number): string =>
  createHash(length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest('hex');

async function isOlder(repository: Repository, head: string, started: StartCommits): Promise<boolean> {
  if (started.has(head)) return true;
  const words = [head, ...[...started].map((commit) => `^${commit}`)].join('\n');
  const answer = await git(repository, ['rev-list', '--max-count=1', '--ignore-missing', '--stdin'], `${words}\n`, '?');
  return answer === '';
}

const GIT = ['/usr/bin/git', '/usr/local/bin/git', '/opt/homebrew/bin/git', '/bin/git'];
const MAX_MS = 10_000;

/** Git without anything that a repository could make it run: no hooks, no watcher, no fetching of what is missing. */
function git({ gitFolder }: Repository, args: readonly string[], input = '', failed = ''): Promise<string> {
  const program = GIT.find(existsSync);
  if (program === undefined) return Promise.resolve(failed);
  const safe = ['safe.directory=*', 'core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.commitGraph=false'].flatMap((each) => [
    '-c',
    each,
  ]);
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
    // For versions of git that do not know that: no way to fetch anything, whatever the repository's settings say of each.
    GIT_ALLOW_PROTOCOL: '',
    // A command could say that one commit stands for another, or has other parents.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
  };
  return new Promise((resolve) => {
    const child = spawn(program, [...safe, '--no-pager', `--git-dir=${gitFolder}`, ...args], {
      env,
      cwd: '/',
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: MAX_MS,
    });
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    child.stdin.on('error', () => {});
    child.on('error', () => resolve(failed));
    child.on('close', (code) => resolve(code === 0 ? Buffer.concat(pieces).toString() : failed));
    child.stdin.end(input);
  });
}
