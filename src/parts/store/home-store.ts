import { existsSync } from 'node:fs';
import type { RepairReport, SessionStore } from '../../contracts/session-store.ts';
import type { StorePlaces } from './former-store.ts';
import { openReadOnly } from './sqlite/read-only.ts';
import { createSqliteStore, openSqliteStore, repairSqliteStore, type SqliteOptions, type SqliteStore } from './sqlite/store.ts';

/**
 * Opens the store of a home. One that an earlier version left under the former name is renamed first, once, or used where it
 * lies for as long as another process has it open. A file of that name that is not ours is left alone.
 */
export const openHomeStore = (home: StorePlaces, options: Omit<SqliteOptions, 'path'> = {}): Promise<SqliteStore> =>
  withStorePath(home, (path) => openSqliteStore({ ...options, path }));

export const repairHomeStore = (home: StorePlaces): Promise<RepairReport> => withStorePath(home, (path) => repairSqliteStore({ path }));

async function withStorePath<Value>(home: StorePlaces, use: (path: string) => Promise<Value>): Promise<Value> {
  if (existsSync(home.store) || !existsSync(home.formerStore)) return use(home.store);
  return (await import('./former-store.ts')).withFormerStore(home, use);
}

/** The file the store is in now; `undefined` when there is none yet. */
export async function findStore({ store, formerStore }: StorePlaces): Promise<string | undefined> {
  if (existsSync(store)) return store;
  return existsSync(formerStore) && (await import('./former-store.ts')).isOwnStore(formerStore) ? formerStore : undefined;
}

/** The store as it is now, to be read without a trace: from a copy that goes away with it. `undefined` when there is none yet. */
export async function openStoreCopy(home: StorePlaces): Promise<SessionStore | undefined> {
  const path = await findStore(home);
  return path === undefined ? undefined : createSqliteStore(await openReadOnly({ path }), {});
}

/** What the owner should know of a file that has the store's former name; `undefined` where there is nothing to say. */
export async function describeFormerStore(home: StorePlaces): Promise<string | undefined> {
  if (!existsSync(home.formerStore)) return undefined;
  return (await import('./former-store.ts')).describeFile(home);
}
