import { lstatSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomHex } from '../../../base/ids.ts';

/** A path of a socket holds about a hundred bytes, and ssh hangs 17 of its own on it while it makes one. */
const MAX_FOLDER = 50;

/** In a folder only we can look into: who can reach the socket can run commands on the host. */
export function createSocketPath(): string {
  const above = tmpdir().length > MAX_FOLDER ? '/tmp' : tmpdir();
  return join(privateFolder(above), `${randomHex(8)}${randomHex(8)}.sock`);
}

/** On a machine of many people somebody may have made that name before us. */
function privateFolder(above: string): string {
  const folder = join(above, 'hermes-ssh');
  try {
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  } catch {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    const ours = found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
    return ours ? folder : mkdtempSync(join(above, 'hermes-ssh-'));
  }
}
