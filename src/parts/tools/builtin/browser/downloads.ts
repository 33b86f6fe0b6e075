import { mkdir, readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Download } from 'playwright-core';
import { toErrorMessage } from '../../../../base/errors.ts';
import { randomHex } from '../../../../base/ids.ts';
import { shortenLine, type Notes } from './notes.ts';

export interface DownloadOptions {
  /** Where bytes gather while they come. */
  readonly arriving: string;
  /** Where whole files are kept. */
  readonly folder: string;
  readonly notes: Notes;
  readonly mostBytes?: number;
}
export interface Downloads {
  take(download: Download): void;
  /** Waits for what is still coming, as long as the signal lets it. */
  settled(signal: AbortSignal): Promise<void>;
}

const MAX_BYTES = 200_000_000;
const LOOK_EVERY_MS = 250;

/** Files a page sends go into a folder of ours under a name of ours; what would fill the disk is stopped. */
export function openDownloads(options: DownloadOptions): Downloads {
  const running = new Set<Promise<void>>();
  return {
    take: (download) => {
      const work = keep(download, options).finally(() => running.delete(work));
      running.add(work);
    },
    settled: async (signal) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const leave = () => resolve();
      signal.addEventListener('abort', leave, { once: true });
      await Promise.race([Promise.all(running), promise]);
      signal.removeEventListener('abort', leave);
    },
  };
}

async function keep(download: Download, { arriving, folder, notes, mostBytes = MAX_BYTES }: DownloadOptions): Promise<void> {
  const name = safeName(download.suggestedFilename());
  let tooMuch = false;
  const look = setInterval(() => {
    void sizeOf(arriving).then(
      (size) => {
        tooMuch ||= size > mostBytes;
        return tooMuch ? download.cancel() : undefined;
      },
      () => {},
    );
  }, LOOK_EVERY_MS);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${randomHex(6)}-${name}`);
    await download.saveAs(path);
    await download.delete();
    notes.add(`Downloaded ${path} (${(await stat(path)).size} bytes)`);
  } catch (error) {
    const why = tooMuch ? `more than ${mostBytes} bytes came` : shortenLine(toErrorMessage(error).split('\n')[0] ?? '', 200);
    notes.add(`The download of ${name} failed: ${why}`);
  } finally {
    clearInterval(look);
  }
}

async function sizeOf(folder: string): Promise<number> {
  const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** A page chooses the name, so nothing in it may lead elsewhere or be read as an option. */
function safeName(suggested: string): string {
  const plain = basename(suggested.replaceAll('\\', '/'))
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^[.-]+/, '');
  const ending = extname(plain).slice(0, 16);
  return `${plain.slice(0, plain.length - extname(plain).length).slice(0, 80) || 'file'}${ending}`;
}
