import { constants, createReadStream, type BigIntStats } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, readFile, readlink, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { randomHex } from '../../../base/ids.ts';
import { FilesError, isFilesError, type Files, type FileStat, type FolderEntry, type OpenedFile } from '../../../contracts/files.ts';

/** The files of this machine. */
export const localFiles: Files = {
  get home() {
    return homedir();
  },
  real: (path) => canonical(path, MAX_LINKS),
  stat: (path) => explainFailure('looked at', path, async () => toFileStat(await stat(path, { bigint: true }))).catch(absent),
  read: (path, signal) => bytesOf(path, signal),
  open: (path) => explainFailure('opened', path, () => openFile(path)),
  write: (path, bytes) => explainFailure('written', path, () => writeWhole(path, bytes)),
  rename: (from, to) => explainFailure('renamed', from, () => rename(from, to)),
  remove: (path) => explainFailure('removed', path, () => rm(path)),
  list: (folder) => explainFailure('listed', folder, async () => (await readdir(folder, { withFileTypes: true })).map(itemOf)),
};

const toFileStat = (found: BigIntStats): FileStat => ({
  kind: found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other',
  size: Number(found.size),
  mode: Number(found.mode & 0o7777n),
  ...(found.isFile() && { links: Number(found.nlink) }),
  stamp: `${found.ino}:${found.mtimeNs}:${found.size}`,
});

/** Whatever lies there; a pipe that nobody writes to is not waited for. */
async function openFile(path: string): Promise<OpenedFile | undefined> {
  if (process.platform !== 'linux') return undefined;
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return holdOpen(file, await readlink(`/proc/self/fd/${file.fd}`));
}

/** An open file under the name it has in its place. Closed with what is given back, or at once when it cannot be looked at. */
export async function holdOpen(file: FileHandle, real: string): Promise<OpenedFile> {
  await using opened = new AsyncDisposableStack();
  opened.defer(() => file.close());
  const found = toFileStat(await file.stat({ bigint: true }));
  const closing = opened.move();
  return {
    real,
    here: `/proc/self/fd/${file.fd}`,
    stat: found,
    read: (signal) => readHandle(file, signal),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

async function* readHandle(file: FileHandle, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (let at = 0; ;) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** What fits is read at once: a stream costs several times as much. */
const CHUNK = 1 << 18;

async function* bytesOf(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    const { size } = await stat(path);
    if (size <= CHUNK) return yield await readFile(path, { signal });
    const stream: AsyncIterable<Buffer> = createReadStream(path, { signal, highWaterMark: CHUNK });
    yield* stream;
  } catch (error) {
    throw filesError('read', path, error);
  }
}

async function writeWhole(path: string, bytes: string | Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const mode = (await stat(path).catch(() => undefined))?.mode;
  const beside = join(dirname(path), `.hermes-${randomHex(12)}.tmp`);
  try {
    const file = await open(beside, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    if (mode !== undefined) await chmod(beside, mode & 0o7777);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** More links in a row than this are a ring. */
const MAX_LINKS = 20;

/** What does not exist yet is named below its nearest existing parent; a write through a dangling link makes its target. */
async function canonical(path: string, links: number): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || links === 0) return path;
    const found = await lstat(path).catch(() => undefined);
    if (found?.isSymbolicLink() === true) return canonical(resolve(parent, await readlink(path)), links - 1);
    return join(await canonical(parent, links), basename(path));
  }
}

const itemOf = (item: { readonly name: string; isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): FolderEntry => ({
  name: item.name,
  kind: item.isSymbolicLink() ? 'link' : item.isDirectory() ? 'folder' : item.isFile() ? 'file' : 'other',
});

async function explainFailure<Value>(done: string, path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw filesError(done, path, error);
  }
}

function filesError(done: string, path: string, error: unknown): FilesError {
  if (isFilesError(error)) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'EIO';
  return new FilesError(code, `${path} could not be ${done}: ${error instanceof Error ? error.message : String(error)}`, error);
}

function absent(error: unknown): FileStat | undefined {
  if (isFilesError(error, 'ENOENT', 'ENOTDIR')) return undefined;
  throw error;
}
