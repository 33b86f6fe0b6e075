import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { withFileLock } from '../../../base/file-lock.ts';
import { FileLockError } from '../../../base/holder-file.ts';
import { StoreError } from '../../../contracts/session-store.ts';
import { writeBackup } from './backup.ts';
import type { Db } from './database/db.ts';
import { isDiskFull } from './database/errors.ts';
import { migrate, readSchemaVersion } from './migrate.ts';
import { needsRewrite, rewriteStore } from './rewrite.ts';
import { MIGRATIONS, NEWEST_VERSION } from './migrations/all.ts';

/** As long as the copy of a store of several gigabytes takes. */
const WAIT_MS = 600_000;
/** A few seconds of work. A larger store is rewritten by `sessions repair`, which a person waits for. */
const MAX_REWRITTEN = 268_435_456;

/** Creates the schema or brings it to the newest version. One process does it under a lock; the others wait and find it done. */
export async function upgradeStore(db: Db): Promise<void> {
  try {
    await withFileLock(`${db.path}.upgrade`, () => bringUpToDate(db), { waitMs: WAIT_MS });
  } catch (error) {
    if (!(error instanceof FileLockError)) throw error;
    throw new StoreError(isDiskFull(db.path) ? 'full' : 'busy', `Could not upgrade the session store. ${error.message}`, error);
  }
}

async function bringUpToDate(db: Db): Promise<void> {
  if ((await db.read('read the version', () => readSchemaVersion(db))) === NEWEST_VERSION) return;
  await migrate(db, MIGRATIONS, (version) => keepCopy(db, version));
  if (needsRewrite(db) && statSync(db.path).size <= MAX_REWRITTEN) await rewriteStore(db).catch(() => undefined);
}

/** A verified copy under a name of its own: a copy that an earlier upgrade made is never replaced. */
async function keepCopy(db: Db, version: number): Promise<void> {
  const name = `${db.path}.version-${version}`;
  removeUnfinished(name);
  let free = name;
  for (let attempt = 2; existsSync(free); attempt++) free = `${name}.${attempt}`;
  await writeBackup(db, free, version);
}

/** Left by upgrades that were killed while they copied. The lock is ours, so no other upgrade is at work. */
function removeUnfinished(name: string): void {
  const folder = dirname(name);
  const isUnfinished = (entry: string): boolean => entry.startsWith(`${basename(name)}.`) && entry.includes('.part-');
  for (const entry of readdirSync(folder).filter(isUnfinished)) rmSync(join(folder, entry), { force: true });
}
