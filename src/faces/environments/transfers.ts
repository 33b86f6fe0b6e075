import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { quoteShellWord } from '../../base/shell.ts';
import { isEntryName } from '../../base/within.ts';
import type { RewardContext } from '../../contracts/environment.ts';
import { FilesError, type Files } from '../../contracts/files.ts';

/** A judge that needs more says so. */
const MAX_FETCHED_BYTES = 1_000_000_000;
/** Files and folders of one folder that is fetched: names cost room too. */
const MAX_FETCHED_ENTRIES = 10_000;

/** What may still come. */
interface FetchAllowance {
  readonly most: number;
  bytes: number;
  entries: number;
}
const createFetchAllowance = (most = MAX_FETCHED_BYTES): FetchAllowance => ({ most, bytes: most, entries: MAX_FETCHED_ENTRIES });

export interface TransferDeps {
  readonly signal: AbortSignal;
  /** Works with the files of the place, and the path as it is called there. */
  withFiles<Result>(path: string, work: (files: Files, absolute: string) => Promise<Result>): Promise<Result>;
  run(command: string): Promise<unknown>;
}
type Transfers = Pick<RewardContext, 'uploadFile' | 'uploadDir' | 'downloadFile' | 'downloadDir'>;

/**
 * Carries files between this machine and the place a model worked in. What that place says of itself (kinds, sizes, names) may be the
 * model's word, so what comes is counted while it comes.
 */
export function createTransfers({ signal, withFiles, run }: TransferDeps): Transfers {
  const fetchFile = async (path: string, local: string, left: FetchAllowance): Promise<void> => {
    await mkdir(dirname(local), { recursive: true });
    await withFiles(path, async (files, at) => {
      const found = await files.stat(at);
      // A device or a pipe has no end.
      if (found?.kind !== 'file') throw new Error(`${at} is ${found === undefined ? 'not there' : 'no file'}.`);
      const mode = (found.mode & 0o100) === 0 ? 0o644 : 0o755;
      await pipeline(countBytes(files.read(at, signal), left, at), createWriteStream(local, { mode }));
    });
  };
  const fetchFolder = async (path: string, local: string, left: FetchAllowance): Promise<void> => {
    await mkdir(local, { recursive: true });
    for (const { name, kind } of await withFiles(path, (files, at) => files.list(at))) {
      if (!isEntryName(name)) throw new Error(`${path} could not be listed: ${JSON.stringify(name)} is not the name of a file.`);
      if (--left.entries < 0) throw new FilesError('EFBIG', `${path} has more than ${MAX_FETCHED_ENTRIES} files.`);
      const [from, to] = [`${path}/${name}`, join(local, name)];
      if (kind === 'folder') await fetchFolder(from, to, left);
      else if (kind === 'file') await fetchFile(from, to, left);
    }
  };
  const uploadFile = async (local: string, path: string): Promise<void> => {
    const bytes = await readAll(createReadStream(local));
    await withFiles(path, (files, at) => files.write(at, bytes));
  };
  return {
    uploadFile,
    uploadDir: async (local, path) => {
      const entries = (await readdir(local, { withFileTypes: true, recursive: true })).filter((entry) => entry.isFile());
      const files = entries.map((entry) => join(entry.parentPath, entry.name));
      const at = (file: string): string => `${path}/${relative(local, file)}`;
      for (const file of files) await uploadFile(file, at(file));
      const programs = files.filter((file) => (statSync(file).mode & 0o100) !== 0);
      if (programs.length > 0) await run(`chmod +x -- ${programs.map((file) => quoteShellWord(at(file))).join(' ')}`);
    },
    downloadFile: (path, local, maxBytes) => fetchFile(path, local, createFetchAllowance(maxBytes)),
    downloadDir: (path, local, maxBytes) => fetchFolder(path, local, createFetchAllowance(maxBytes)),
  };
}

async function* countBytes(chunks: AsyncIterable<Buffer>, left: FetchAllowance, at: string): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    left.bytes -= chunk.length;
    if (left.bytes < 0) throw new FilesError('EFBIG', `${at} is larger than what may be fetched, which is ${left.most} bytes in all.`);
    yield chunk;
  }
}

export async function readAll(chunks: AsyncIterable<unknown>, most = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += part.length;
    if (size > most) throw new Error(`it has more than ${most / 1_000_000} MB. Use downloadFile.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
