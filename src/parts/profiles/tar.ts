import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { toErrorMessage, UsageError } from '../../base/errors.ts';

/** A file that is there is somebody's, and nobody makes folders for a typing error. */
export function refuseTarget(file: string): void {
  if (existsSync(file)) throw new UsageError(`${file} already exists and was left as it is. Name another file, or remove this one first.`);
  if (!existsSync(dirname(resolve(file))))
    throw new UsageError(`the folder ${dirname(resolve(file))} does not exist. Create it, or choose another file.`);
}

/** Links and devices have no place in a profile that somebody else may have packed. */
export function refuseOddFiles(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, String(name));
    const kind = lstatSync(path);
    if ((!kind.isFile() && !kind.isDirectory()) || (kind.isFile() && kind.nlink > 1))
      throw new UsageError(`the file contains ${String(name)}, which is a link or a device. Nothing was imported.`);
  }
}

export interface TarStreams {
  readonly from?: Readable;
  readonly to?: Writable;
}

/** A Mac would add files of its own without that variable. */
export async function tar(args: readonly string[], { from, to }: TarStreams = {}): Promise<void> {
  const child = spawn('tar', args, {
    stdio: [from === undefined ? 'ignore' : 'pipe', to === undefined ? 'ignore' : 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', COPYFILE_DISABLE: '1' },
  });
  let complaint = '';
  child.stderr?.on('data', (piece: Buffer) => (complaint = (complaint + piece.toString()).slice(-2_000)));
  const ended = new Promise<number | null>((done, fail) => {
    child.once('error', (error) =>
      fail(new UsageError(`the program tar could not be run: ${toErrorMessage(error)}. Install it and try again.`)),
    );
    child.once('close', done);
  });
  // Whatever goes wrong with what is piped in or out, tar ends, and says so first.
  if (from !== undefined && child.stdin !== null) from.on('error', () => child.kill()).pipe(child.stdin.on('error', () => {}));
  const written = to === undefined ? undefined : finished(to);
  written?.catch(() => child.kill());
  if (to !== undefined) child.stdout?.pipe(to);
  const code = await ended;
  if (code !== 0 && from?.errored != null) throw from.errored;
  await written;
  if (code !== 0) throw new UsageError(describeFailure(args[0] ?? '', complaint.trim().split('\n')[0] || `exit code ${code}`));
}

const describeFailure = (action: string, why: string): string =>
  action.startsWith('-x') || action.startsWith('x')
    ? `the file could not be unpacked: it is damaged, or no archive of hermes (${why}). Nothing was changed.`
    : `tar failed: ${why}`;
