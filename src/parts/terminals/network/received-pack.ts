import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createBorrower, createBorrowerEnvironment } from './borrower.ts';

export interface ReceivePackOptions {
  /** Characters of an object's name: 40, or 64 with SHA-256. */
  readonly length: number;
  /** Folders of objects that the pack may build on. */
  readonly objects: readonly string[];
  /** Folders of programs. */
  readonly path: string;
  readonly signal: AbortSignal;
}
export interface GitObject {
  readonly name: string;
  readonly type: 'commit' | 'tree' | 'blob' | 'tag';
  readonly content: Buffer;
}
/** The pack of a push, taken up before the remote gets any of it. */
export interface ReceivedPack {
  /** What is in it, with sizes in bytes. Absent when it could not be read. */
  readonly objects: ReadonlyMap<string, { readonly type: GitObject['type']; readonly size: number }> | undefined;
  read(names: readonly string[]): AsyncIterable<GitObject>;
  /** An object from elsewhere, if it is what its name says: whoever runs commands may have written it. */
  readOther(name: string): Promise<GitObject | undefined>;
  /** Files that git ignores by these rules, and by those of a work tree where one is given. */
  listIgnored(paths: readonly string[], rules: string, worktree: string | undefined): Promise<ReadonlySet<string>>;
  send(sink: Writable): Promise<void>;
  close(): void;
}

const MAX_BYTES = 2 * 1024 ** 3;
const MAX_MS = 10 * 60_000;
/** Of the contents of objects in memory at once. */
const SLICE_BYTES = 32 * 1024 * 1024;

/**
 * Takes the pack out of what a client sends. Git builds all objects from it and names them by their contents, so that nothing
 * in the repository it came from can pass for something else.
 */
export async function receivePack(input: Socket, { length, objects, path, signal }: ReceivePackOptions): Promise<ReceivedPack> {
  const borrower = createBorrower(length, objects);
  const folder = borrower.path;
  const env = createBorrowerEnvironment(folder, path);
  mkdirSync(join(folder, 'objects/pack'));
  const spooled = join(folder, 'pushed');
  const git = (words: readonly string[], given: string, more: Readonly<Record<string, string>> = {}): Promise<Buffer> =>
    runGit(words, given, { folder, env: { ...env, ...more }, signal });
  const readAll = async (names: readonly string[]): Promise<readonly GitObject[]> =>
    names.length === 0 ? [] : splitObjects(await git(['cat-file', '--batch'], `${names.join('\n')}\n`));
  const isWhole = await spool(input, spooled, { folder, env, signal });
  const found = isWhole ? await listObjects(folder, length, git) : undefined;
  return {
    objects: found,
    read: async function* (names) {
      let slice: string[] = [];
      let room = SLICE_BYTES;
      for (const name of names) {
        slice.push(name);
        room -= found?.get(name)?.size ?? 0;
        if (room > 0) continue;
        yield* await readAll(slice);
        [slice, room] = [[], SLICE_BYTES];
      }
      yield* await readAll(slice);
    },
    readOther: async (name) => (await readAll([name])).find((object) => object.name === name && hashOf(object) === name),
    listIgnored: async (paths, rules, worktree) => {
      mkdirSync(join(folder, 'info'), { recursive: true });
      const none = join(folder, 'none');
      mkdirSync(none, { recursive: true });
      await writeRules(join(folder, 'info/exclude'), rules);
      const lists = await Promise.all(
        [none, ...(worktree === undefined ? [] : [worktree])].map((GIT_WORK_TREE) =>
          git(['-c', `safe.directory=*`, 'check-ignore', '--no-index', '--stdin', '-z'], paths.join('\0'), { GIT_WORK_TREE }),
        ),
      );
      return new Set(lists.flatMap((list) => list.toString('utf8').split('\0')).filter((each) => each !== ''));
    },
    send: async (sink) => {
      const file = createReadStream(spooled);
      file.pipe(sink, { end: false });
      await finished(file);
    },
    close: () => borrower.close(),
  };
}

async function writeRules(path: string, rules: string): Promise<void> {
  const file = createWriteStream(path);
  file.end(rules);
  await finished(file);
}

interface GitPlace {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}
/** Until git has read the pack to its end; whether it could. */
async function spool(input: Socket, file: string, { folder, env, signal }: GitPlace): Promise<boolean> {
  const child = spawn('git', ['index-pack', '--stdin', '--fix-thin', `--max-input-size=${MAX_BYTES}`], {
    cwd: folder,
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
    timeout: MAX_MS,
    signal,
  });
  const copy = createWriteStream(file, { mode: 0o600 });
  child.stdin.on('error', () => {});
  const ended = new Promise<number | null>((resolve) => child.once('error', () => resolve(null)).once('close', resolve));
  input.pipe(copy, { end: false });
  input.pipe(child.stdin);
  const code = await ended;
  input.unpipe(copy);
  input.unpipe(child.stdin);
  input.pause();
  copy.end();
  await finished(copy);
  return code === 0;
}

/** The names in the index that git made of the pack (version 2: a head, 256 counts, the names). */
async function listObjects(
  folder: string,
  length: number,
  git: (words: readonly string[], given: string) => Promise<Buffer>,
): Promise<NonNullable<ReceivedPack['objects']>> {
  const packs = join(folder, 'objects/pack');
  const names = readdirSync(packs)
    .filter((name) => name.endsWith('.idx'))
    .flatMap((name) => {
      const index = readFileSync(join(packs, name));
      const size = length / 2;
      return Array.from({ length: index.readUInt32BE(8 + 255 * 4) }, (_, at) =>
        index.toString('hex', 8 + 1024 + at * size, 8 + 1024 + (at + 1) * size),
      );
    });
  const lines = (await git(['cat-file', '--batch-check'], names.map((name) => `${name}\n`).join(''))).toString('latin1').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [, name = '', type = '', size] = /^([\da-f]+) (\w+) (\d+)$/.exec(line) ?? [];
      return isType(type) ? [[name, { type, size: Number(size) }] as const] : [];
    }),
  );
}
const isType = (type: string): type is GitObject['type'] => /^(?:commit|tree|blob|tag)$/.test(type);

/** `NAME TYPE SIZE`, a line break, the content and another. */
function splitObjects(answer: Buffer): readonly GitObject[] {
  const found: GitObject[] = [];
  for (let at = 0, end = answer.indexOf(0x0a); end >= 0; end = answer.indexOf(0x0a, at)) {
    const [, name = '', type = '', size] = /^([\da-f]+) (\w+) (\d+)$/.exec(answer.toString('latin1', at, end)) ?? [];
    at = end + 1;
    if (!isType(type)) continue;
    found.push({ name, type, content: answer.subarray(at, at + Number(size)) });
    at += Number(size) + 1;
  }
  return found;
}

const hashOf = ({ name, type, content }: GitObject): string =>
  createHash(name.length === 64 ? 'sha256' : 'sha1')
    .update(`${type} ${content.length}\0`)
    .update(content)
    .digest('hex');

/** All that git puts out; nothing when it fails. */
function runGit(words: readonly string[], input: string, { folder, env, signal }: GitPlace): Promise<Buffer> {
  const child = spawn('git', ['--no-replace-objects', ...words], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: MAX_MS,
    signal,
  });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve) => child.once('error', () => resolve(Buffer.alloc(0))).once('close', () => resolve(Buffer.concat(pieces))));
}
