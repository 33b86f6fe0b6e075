import { StoreError } from '../../../contracts/session-store.ts';
import type { Db } from './database/db.ts';
import { NEWEST_VERSION } from './migrations/all.ts';
import type { Migration } from './migrations/migration.ts';

export const readSchemaVersion = (db: Db): number => db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;

/** Brings the schema to the newest version in one transaction. `keep` saves a copy first when there is something to lose. */
export async function migrate(db: Db, migrations: readonly Migration[], keep: (version: number) => Promise<void>): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0;
  const found = await db.read('read the version', () => readSchemaVersion(db));
  if (found === newest) return;
  if (found > newest) throw newer(db.path, found, newest);
  if (found === 0) await db.read('see whose it is', () => refuseForeign(db));
  if (found === 0)
    await db.read('turn on the write-ahead log', () => db.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL'));
  else await keep(found);
  await db.write(`bring the store from version ${found} to ${newest}`, () => {
    // Another process may have been here between the look and the lock.
    const now = readSchemaVersion(db);
    const due = migrations.filter((migration) => migration.version > now);
    if (due.length > 0) db.exec(`${due.map((migration) => migration.sql).join('\n')}\nPRAGMA user_version = ${newest};`);
  });
}

/** A database without a version is a new one, or somebody else's. Asked in this order: another process may be making it ours. */
function refuseForeign(db: Db): void {
  const tables = db.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' LIMIT 3").map(({ name }) => name);
  if (tables.length > 0 && readSchemaVersion(db) === 0) throw foreign(db.path, tables);
}

const foreign = (path: string, tables: readonly string[]): StoreError =>
  new StoreError(
    'foreign',
    `${path} is a database of another program (its tables: ${tables.join(', ')}). Nothing was changed. Move the file away, or set HERMES_HOME to another folder.`,
  );

const newer = (path: string, found: number, newest: number): StoreError =>
  new StoreError(
    'newer',
    `The session store ${path} has version ${found}, but this hermes supports versions up to ${newest}. Update hermes, or set HERMES_HOME to another folder.`,
  );

/** Another version of hermes changed the schema after this process opened the store: its statements may no longer mean the same. */
export function refuseOtherVersion(db: Db): void {
  const found = readSchemaVersion(db);
  if (found === NEWEST_VERSION) return;
  throw new StoreError(
    'newer',
    `Another version of hermes changed the session store ${db.path} from version ${NEWEST_VERSION} to ${found} while this process was running. This process no longer uses it. Restart hermes: what was saved is there, and an unfinished turn goes on.`,
  );
}
