import { createWriteStream, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BackupOptions, BackupResult } from '../../../contracts/services/backups.ts';
import { openStaging, type Staging } from '../staging.ts';
import { refuseTarget, tar } from '../tar.ts';
import { encrypt } from './cipher.ts';
import { copyHome } from './copy-home.ts';
import { createManifest, MANIFEST_FILE } from './manifest.ts';

export interface BackupDeps {
  readonly version: string;
  readonly now: () => number;
  /** Copies the store as it is at one moment; gives how many sessions it has, or nothing when there is no store. */
  copyStore(home: string, to: string): Promise<number | undefined>;
}

/** The store first: files it names are written before the rows that name them, so they are there when the files are copied. */
export async function writeBackup(home: string, file: string, { passphrase }: BackupOptions, deps: BackupDeps): Promise<BackupResult> {
  refuseTarget(file);
  // Beside the file: the folder for temporary files may be small, or be read by others.
  using staging = openStaging(dirname(resolve(file)));
  const madeAt = deps.now();
  const sessions = (await deps.copyStore(home, join(staging.folder, 'sessions.db'))) ?? 0;
  const { leftOut, unreadableLinks } = copyHome(home, staging.folder);
  const manifest = await createManifest(staging.folder, { version: deps.version, madeAt, sessions });
  writeFileSync(join(staging.folder, MANIFEST_FILE), `${JSON.stringify(manifest)}\n`, { mode: 0o600 });
  await pack(staging, file, passphrase);
  return {
    file,
    bytes: statSync(file).size,
    files: Object.keys(manifest.files).length,
    sessions,
    encrypted: passphrase !== undefined,
    hasReadableKeys: passphrase === undefined && hasKeys(home),
    ...(leftOut > 0 && { leftOut }),
    ...(unreadableLinks.length > 0 && { unreadableLinks }),
  };
}

/** The name appears when the file is whole. */
async function pack({ folder, besideIt }: Staging, file: string, passphrase: string | undefined): Promise<void> {
  const packed = new PassThrough();
  const archive = join(besideIt, 'archive');
  const target = createWriteStream(archive, { mode: 0o600, flags: 'wx', flush: true });
  const written = (async () => pipeline(passphrase === undefined ? packed : await encrypt(packed, passphrase), target))();
  await Promise.all([tar(['-czf', '-', '-C', folder, '.'], { to: packed }), written]);
  // Somebody may have made one meanwhile.
  refuseTarget(file);
  renameSync(archive, file);
}

const KEY_FILES = ['auth.json', 'credential-pool.json', 'webhook_subscriptions.json', 'mcp-tokens'];
function hasKeys(home: string): boolean {
  const env = join(home, '.env');
  const isEnvUsed =
    statSync(env, { throwIfNoEntry: false })?.isFile() === true && /^\s*(?:export\s+)?\w+\s*=\s*\S/m.test(readFileSync(env, 'utf8'));
  return isEnvUsed || KEY_FILES.some((name) => existsSync(join(home, name)));
}
