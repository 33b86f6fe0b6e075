import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { LocalFile } from './plan.ts';

export interface StagingFolder extends Disposable {
  readonly folder: string;
}
export function openStagingFolder(): StagingFolder {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-sync-'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The files under the names they have there: a folder of links, and a tar that follows them. */
export async function pack(files: readonly LocalFile[]): Promise<Buffer> {
  using links = openStagingFolder();
  for (const { path, at } of files) {
    mkdirSync(dirname(join(links.folder, path)), { recursive: true });
    symlinkSync(at, join(links.folder, path));
  }
  const pieces: Buffer[] = [];
  const { child, done } = tar(['-chzf', '-', '-C', links.folder, '.']);
  child.stdin.end();
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  await done;
  return Buffer.concat(pieces);
}

/** Takes base64 as it comes and lays the files down in the folder. */
export function unpack(folder: string): { push(text: string): void; end(): Promise<void> } {
  const { child, done } = tar(['-xzf', '-', '-C', folder]);
  child.stdin.on('error', () => {});
  let rest = '';
  return {
    push: (text) => {
      rest += text.replace(/\s+/g, '');
      const whole = rest.length - (rest.length % 4);
      child.stdin.write(Buffer.from(rest.slice(0, whole), 'base64'));
      rest = rest.slice(whole);
    },
    end: () => {
      child.stdin.end();
      return done;
    },
  };
}

/** A Mac would add files of its own without that variable. */
function tar(args: string[]) {
  const child = spawn('tar', args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', COPYFILE_DISABLE: '1' },
  });
  let complaint = '';
  child.stderr.on('data', (piece: Buffer) => (complaint = (complaint + piece.toString()).slice(-2_000)));
  const done = new Promise<void>((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`tar could not be run: ${error.message}`)));
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`tar said: ${complaint.trim() || `exit code ${code}`}`))));
  });
  return { child, done };
}
