import { StoreError, type SessionStore } from '../../contracts/session-store.ts';

const noStore = () => Promise.reject(new StoreError('missing', 'no session store is open here'));

/** Stands where tools and memories would read the log and nobody has opened one. */
export const NO_STORE: Pick<SessionStore, 'search' | 'entries' | 'list' | 'find' | 'fact'> = {
  search: noStore,
  entries: noStore,
  list: noStore,
  find: noStore,
  fact: async () => undefined,
};
