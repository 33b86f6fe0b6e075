import { createReadStream, existsSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/folders.ts';
import { DEFAULT_PROFILE, listProfileNames, toProfileHome } from '../../../base/profile.ts';
import type { RestoredStore, RestoreOptions, RestoreResult } from '../../../contracts/services/backups.ts';
import type { HomeUser } from '../../../contracts/services/profiles.ts';
import { openStaging } from '../staging.ts';
import { refuseOddFiles, tar } from '../tar.ts';
import { decrypt, isEncryptedFile } from './cipher.ts';
import { MANIFEST_FILE, verifyManifest } from './manifest.ts';

export interface RestoreDeps {
  readonly now: () => number;
  /** Who works in that home; undefined when it is free. */
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
  const profilesKept = movedTo === undefined ? [] : takeBackProfiles(movedTo, home);
  return {
    home,
    madeAt,
    files: Object.keys(files).length,
    sessions,
    settled,
    ...(movedTo !== undefined && { movedTo }),
    ...(profilesKept.length > 0 && { profilesKept }),
  };
}

/** The folder of the default profile holds all others, which must not move away under a process that works in them. */
async function refuseUse(home: string, replace: boolean, deps: RestoreDeps): Promise<void> {
  for (const name of existsSync(home) ? listProfileNames(home) : [DEFAULT_PROFILE]) {
    const inside = toProfileHome(home, name);
    const user = await deps.findUser(inside);
    if (user === undefined) continue;
    const stop = name === DEFAULT_PROFILE ? user.stop : user.stop.replace(/^hermes /, `hermes -p ${name} `);
    throw new UsageError(`${user.who} works in ${inside}. Stop it first: ${stop}`);
  }
  const found = existsSync(home) ? readdirSync(home) : [];
  if (found.length === 0) return;
  if (!found.some((name) => OF_A_HOME.includes(name)))
    throw new UsageError(`${home} is not empty and no profile, so it is not replaced. Name a profile or an empty folder: --to FOLDER`);
  if (replace) return;
  throw new UsageError(
    `there is a profile in ${home} already. Add --replace to move it aside first, or name an empty folder: hermes restore FILE --to FOLDER`,
  );
}
/** A folder with one of these is a profile. */
const OF_A_HOME: readonly string[] = ['config.yaml', 'sessions.db', 'profile.json', 'SOUL.md', 'memories', 'profiles'];

/** A backup holds one profile. The others go back to their place, and with them the choice of one. */
function takeBackProfiles(from: string, home: string): readonly string[] {
  for (const name of ['profiles', 'active_profile'])
    if (existsSync(join(from, name)) && !existsSync(join(home, name))) renameSync(join(from, name), join(home, name));
  return listProfileNames(home).filter((name) => name !== DEFAULT_PROFILE);
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
