import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import { createBorrower, createBorrowerEnvironment } from './borrower.ts';

export interface AncestryOptions {
  /** Folders of objects to look in, real paths of this machine. Whoever runs commands may have filled them. */
  readonly objects: readonly string[];
  /** Folders of programs. */
  readonly path: string;
  /** Whoever asked is gone. */
  readonly signal?: AbortSignal;
}
/** `unknown`: a commit on the way is missing, or is not what its name says. */
export type Ancestry = 'yes' | 'no' | 'unknown';

/** For all questions of one push. */
const MAX_MS = 30_000;
const MAX_COMMITS = 200_000;
const MAX_COMMIT_BYTES = 1024 * 1024;
/** Clocks differ: a commit that seems this much older than the one looked for cannot lead to it. */
const CLOCKS_DIFFER_S = 7 * 24 * 3600;

/**
 * Whether one commit is among the ancestors of another, told by the contents of the commits alone. Git reads them, in a
 * repository of ours that only borrows the objects: no setting, hook, replaced object, graft or commit graph of theirs counts.
 * Git does not check that an object is what its name says, so each is hashed here: a forged commit cannot vouch for anything.
 */
export function openAncestry(options: AncestryOptions): AncestryReader {
  let opened: { readonly commits: CommitReader; readonly length: number } | undefined;
  return {
    find: async (old, wanted) => {
      opened ??= { commits: openCommits(old.length, options), length: old.length };
      return old.length === opened.length ? findAncestry(old, wanted, opened.commits) : 'unknown';
    },
    close: () => opened?.commits.close(),
  };
}
/** Starts with the first question. After its time, or when its signal says so, everything is unknown. */
export interface AncestryReader {
  find(old: string, wanted: string): Promise<Ancestry>;
  close(): void;
}

async function findAncestry(old: string, wanted: string, { read }: CommitReader): Promise<Ancestry> {
  const start = await read(old);
  if (start === undefined) return 'unknown';
  const open = [wanted];
  const seen = new Set(open);
  let isWhole = true;
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (next === old) return 'yes';
    const commit = seen.size > MAX_COMMITS ? undefined : await read(next);
    isWhole &&= commit !== undefined;
    if (commit === undefined || commit.time < start.time - CLOCKS_DIFFER_S) continue;
    for (const parent of commit.parents) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      open.push(parent);
    }
  }
  return isWhole ? 'no' : 'unknown';
}

interface ReadCommit {
  readonly parents: readonly string[];
  /** When it was made, in seconds. */
  readonly time: number;
}

/** Commits by their names, one after the other; nothing for one that is missing or forged. */
interface CommitReader {
  read(name: string): Promise<ReadCommit | undefined>;
  close(): void;
}
function openCommits(length: number, { objects, path, signal }: AncestryOptions): CommitReader {
  const borrower = createBorrower(length, objects);
  const folder = borrower.path;
  const child = spawn('git', ['--no-replace-objects', 'cat-file', '--batch'], {
    cwd: folder,
    env: createBorrowerEnvironment(folder, path),
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: MAX_MS,
    killSignal: 'SIGKILL',
  });
  let heard: Buffer = Buffer.alloc(0);
  let isOver = false;
  let wake = (): void => {};
  const end = (): void => {
    isOver = true;
    wake();
  };
  child.once('error', end).once('close', end);
  child.stdin.on('error', end);
  const stop = (): void => void child.kill('SIGKILL');
  signal?.addEventListener('abort', stop);
  if (signal?.aborted === true) stop();
  // An agent that is done does not wait for it.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) if (stream instanceof Socket) stream.unref();
  child.stdout.on('data', (chunk: Buffer) => {
    heard = Buffer.concat([heard, chunk]);
    wake();
  });
  const take = async (name: string): Promise<Buffer | undefined> => {
    for (;;) {
      const answer = splitAnswer(heard, name);
      if (answer === 'bad' || (answer === 'more' && isOver)) return undefined;
      if (answer !== 'more') {
        heard = answer.rest;
        return answer.content;
      }
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return {
    read: async (name) => {
      if (isOver) return undefined;
      child.stdin.write(`${name}\n`);
      const content = await take(name);
      return content === undefined ? undefined : parseCommit(content, name);
    },
    close: () => {
      signal?.removeEventListener('abort', stop);
      stop();
      borrower.close();
    },
  };
}

type ObjectAnswer = 'more' | 'bad' | { readonly content: Buffer | undefined; readonly rest: Buffer };

/** `NAME commit SIZE`, a line break, the content and another; or a line that says why there is none. */
function splitAnswer(heard: Buffer, name: string): ObjectAnswer {
  const end = heard.indexOf(0x0a);
  if (end < 0) return 'more';
  const head = heard.toString('latin1', 0, end);
  if (head === `${name} missing`) return { content: undefined, rest: heard.subarray(end + 1) };
  const size = Number(/^[\da-f]+ commit (\d+)$/.exec(head)?.[1] ?? Number.NaN);
  if (!head.startsWith(`${name} `) || !(size <= MAX_COMMIT_BYTES)) return 'bad';
  const after = end + 1 + size + 1;
  return heard.length < after ? 'more' : { content: heard.subarray(end + 1, after - 1), rest: heard.subarray(after) };
}

function parseCommit(content: Buffer, name: string): ReadCommit | undefined {
  const hash = createHash(name.length === 64 ? 'sha256' : 'sha1')
    .update(`commit ${content.length}\0`)
    .update(content);
  if (hash.digest('hex') !== name) return undefined;
  const text = content.toString('latin1');
  const head = text.slice(0, Math.max(text.indexOf('\n\n'), 0));
  const time = Number(/^committer .*> (\d+) [+-]\d+$/m.exec(head)?.[1] ?? Number.NaN);
  // Parents stand behind the tree and before everything else.
  const [lines = ''] = /^tree [\da-f]+\n(?:parent [\da-f]+\n)*/.exec(text) ?? [];
  return {
    parents: [...lines.matchAll(/^parent ([\da-f]+)$/gm)].map(([, parent = '']) => parent),
    time: Number.isNaN(time) ? Infinity : time,
  };
}
