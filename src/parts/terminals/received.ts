import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, toErrorMessage } from '../../base/errors.ts';
import { isReceivedName, nameFarReceived } from '../../contracts/received-files.ts';
import type { Files } from '../../contracts/files.ts';
import type { Terminal } from '../../contracts/terminal.ts';

export interface ReceivedFilesOptions {
  /** The folder of this machine. Files in it are made whole and never changed; they only go. */
  readonly from: string;
  /** A line for the owner. */
  notice(words: string): void;
}

/**
 * A terminal elsewhere whose commands and file tools see the files that were sent to the session: what came since the last call
 * is brought before the next one, and what is gone here goes there. Trouble is told, and the call is made all the same.
 */
export function bringReceived(terminal: Terminal, { from, notice }: ReceivedFilesOptions): Terminal {
  const there = new Set<string>();
  let [isFirst, told]: [boolean, string] = [true, ''];
  let busy: Promise<void> | undefined;
  const bring = async (): Promise<void> => {
    const here = new Set(await listPlainFiles(from));
    const folder = nameFarReceived(from).replace(/^~/, terminal.files.home);
    if (isFirst && here.size > 0) for (const name of await listFar(terminal.files, folder)) there.add(name);
    isFirst &&= here.size === 0;
    for (const name of here.difference(there)) {
      const bytes = await readPlainFile(join(from, name));
      if (bytes !== undefined) await terminal.files.write(`${folder}/${name}`, bytes);
      there.add(name);
    }
    for (const name of there.difference(here)) {
      await terminal.files.remove(`${folder}/${name}`);
      there.delete(name);
    }
    told = '';
  };
  const brought = (): Promise<void> =>
    (busy ??= bring()
      .catch((error: unknown) => {
        const why = toErrorMessage(error);
        if (why !== told)
          notice(`Files that were sent to the session could not be brought to where its commands run: ${why}. It is tried again.`);
        told = why;
      })
      .finally(() => (busy = undefined)));
  return withFirst(terminal, brought);
}

/** The same terminal; something is done before each call that could see a file. */
function withFirst(terminal: Terminal, first: () => Promise<void>): Terminal {
  const { files } = terminal;
  const openFile = files.open?.bind(files);
  return {
    ...terminal,
    get cwd() {
      return terminal.cwd;
    },
    get wall() {
      return terminal.wall;
    },
    run: async (command, options) => (await first(), terminal.run(command, options)),
    start: async (command, options) => (await first(), terminal.start(command, options)),
    files: {
      get home() {
        return files.home;
      },
      real: async (path) => (await first(), files.real(path)),
      stat: async (path) => (await first(), files.stat(path)),
      read: async function* (path, signal) {
        await first();
        yield* files.read(path, signal);
      },
      ...(openFile !== undefined && { open: async (path) => (await first(), openFile(path)) }),
      write: (path, bytes) => files.write(path, bytes),
      rename: (from, to) => files.rename(from, to),
      remove: (path) => files.remove(path),
      list: async (folder) => (await first(), files.list(folder)),
    },
  };
}

async function listPlainFiles(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder, { withFileTypes: true })).flatMap((entry) =>
      entry.isFile() && isReceivedName(entry.name) ? [entry.name] : [],
    );
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** What an earlier terminal of the session brought. */
async function listFar(files: Files, folder: string): Promise<readonly string[]> {
  if ((await files.stat(folder))?.kind !== 'folder') return [];
  return (await files.list(folder)).flatMap(({ name, kind }) => (kind === 'file' && isReceivedName(name) ? [name] : []));
}

/** Nothing where it went meanwhile. */
async function readPlainFile(path: string): Promise<Buffer | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    return await file.readFile();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
