import { createReadStream } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { randomHex } from '../../../base/ids.ts';
import { FilesError, isFilesError, type Files, type FileStat, type FolderEntry } from '../../../contracts/files.ts';

/** The files of this machine. */
export const localFiles: Files = {
  get home() {
    return homedir();
  },
  real: (path) => canonical(path, MAX_LINKS),
  stat: (path) =>
    explainFailure('looked at', path, async (): Promise<FileStat> => {
      const found = await stat(path, { bigint: true });
      const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
      return { kind, size: Number(found.size), mode: Number(found.mode & 0o7777n), stamp: `${found.ino}:${found.mtimeNs}:${found.size}` };
    }).catch(absent),
  read: (path, signal) => bytesOf(path, signal),
  write: (path, bytes) => explainFailure('written', path, () => writeWhole(path, bytes)),
  rename: (from, to) => explainFailure('renamed', from, () => rename(from, to)),
  remove: (path) => explainFailure('removed', path, () => rm(path)),
  list: (folder) => explainFailure('listed', folder, async () => (await readdir(folder, { withFileTypes: true })).map(itemOf)),
};

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
