import { testSessionStoreConformance } from '../../../src/testing/conformance/session-store.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { DEAD, freshPath } from './places.ts';
import type { SessionStore } from '../../../src/contracts/session-store.ts';

const paths = new WeakMap<SessionStore, string>();

async function open(path = freshPath()): Promise<SessionStore> {
  const store = await openSqliteStore({ path, durability: 'process' });
  paths.set(store, path);
  return store;
}
const pathOf = (store: SessionStore): string => paths.get(store) ?? freshPath();

testSessionStoreConformance('SQLite', () => open(), {
  again: (store) => open(pathOf(store)),
  // Never closed: closing would give the claim back.
  orphan: async (store, sessionId) => (await openSqliteStore({ path: pathOf(store), holder: DEAD })).claim(sessionId),
  backup: { path: freshPath, open },
});
