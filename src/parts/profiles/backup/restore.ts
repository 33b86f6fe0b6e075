import { createReadStream, existsSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/folders.ts';
import type { RestoredStore, RestoreOptions, RestoreResult } from '../../../contracts/services/backups.ts';
import { openStaging } from '../staging.ts';
import { refuseOddFiles, tar } from '../tar.ts';
import { decrypt, isEncryptedFile } from './cipher.ts';
import { MANIFEST_FILE, verifyManifest } from './manifest.ts';

export interface HomeUser {
  readonly who: string;
  readonly stop: string;
}
export interface RestoreDeps {
  readonly now: () => number;
  /** Who works in that home, in words, and what to type to stop them; nobody when absent. */
  findUser(home: string): Promise<HomeUser | undefined>;
  /** Looks at the store and settles what the copy left open. Throws when it is damaged. */
  settleStore(path: string, options: { readonly answerMissed: boolean }): Promise<RestoredStore>;
}
const NOTHING: RestoredStore = { turnsGivenUp: 0, deliveriesMarked: 0, processesForgotten: 0, jobsSkipped: 0 };

/** Everything is looked at and made ready beside the home; then it takes its place in one step. */
export async function restoreBackup(file: string, home: string, options: RestoreOptions, deps: RestoreDeps): Promise<RestoreResult> {
  const { passphrase, replace = false, answerMissed = false } = options;
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw new UsageError(`there is no file ${file}.`);
  await refuseUse(home, replace, deps);
  makeFolder(dirname(resolve(home)));
  using staging = openStaging(dirname(resolve(home)));
  await unpack(file, staging.folder, passphrase);
  refuseOddFiles(staging.folder);
  const { madeAt, sessions, files } = await verifyManifest(staging.folder, file);
  rmSync(join(staging.folder, MANIFEST_FILE));
  const store = join(staging.folder, 'sessions.db');
  const settled = existsSync(store) ? await deps.settleStore(store, { answerMissed }) : NOTHING;
  // Reading it may take long, and somebody may have come meanwhile.
  await refuseUse(home, replace, deps);
  const movedTo = makeRoom(home, deps.now());
  renameSync(staging.folder, home);
  return { home, madeAt, files: Object.keys(files).length, sessions, settled, ...(movedTo !== undefined && { movedTo }) };
}

async function refuseUse(home: string, replace: boolean, deps: RestoreDeps): Promise<void> {
  const user = await deps.findUser(home);
  if (user !== undefined) throw new UsageError(`${user.who} works in ${home}. Stop it first: ${user.stop}`);
  if (!replace && existsSync(home) && readdirSync(home).length > 0)
    throw new UsageError(
      `there is a profile in ${home} already. Add --replace to move it aside first, or name an empty folder: hermes restore FILE --to FOLDER`,
    );
}

async function unpack(file: string, folder: string, passphrase: string | undefined): Promise<void> {
  const args = ['-xzf', '-', '-C', folder, '--no-same-owner', '--no-same-permissions'];
  if (!isEncryptedFile(file)) return tar(args, { from: createReadStream(file) });
  if (passphrase === undefined) throw new UsageError(`${file} is encrypted. Give its passphrase: it was not asked for here.`);
  return tar(args, { from: decrypt(file, passphrase) });
}

/** What is there goes beside it, and comes back by renaming it. */
function makeRoom(home: string, now: number): string | undefined {
  if (!existsSync(home)) return undefined;
  if (readdirSync(home).length === 0) {
    rmdirSync(home);
    return undefined;
  }
  const movedTo = `${resolve(home)}.before-restore-${new Date(now).toISOString().replace(/[:.]/g, '-')}`;
  renameSync(home, movedTo);
  return movedTo;
}
