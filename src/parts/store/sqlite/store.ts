import type { SessionStore } from '../../../contracts/session-store.ts';
import { dropClaim, refuseIfClaimed, takeClaim } from './claims.ts';
import { applyChange } from './commit.ts';
import { openDb, type Db } from './db.ts';
import { readEntries } from './entries.ts';
import { readFact, writeFact } from './facts.ts';
import { prepareFile } from './file.ts';
import { thisProcess, type Holder } from './holder.ts';
import { allItems, postItem, waitingItems } from './inbox.ts';
import { leases } from './leases.ts';
import { readCalls, sumCalls } from './ledger.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/all.ts';
import { deleteSession, findSessions, insertSession, listSessions, sessionNumber } from './sessions.ts';
import { setTitle } from './titles.ts';
import { readTurn } from './turns.ts';

export interface SqliteOptions {
  readonly path: string;
  /** What a commit survives: `power` (default) a power cut, `process` the death of the process; see docs for what it costs. */
  readonly durability?: 'process' | 'power';
  readonly now?: () => number;
  /** Who claims are taken for; this process unless a test says otherwise. */
  readonly holder?: Holder;
  /** How long a locked store is waited for, in milliseconds. */
  readonly patience?: number;
}

export async function openSqliteStore(options: SqliteOptions): Promise<SessionStore> {
  const { path, durability = 'power', now = Date.now } = options;
  prepareFile(path);
  const db = openDb(options);
  await db.read('open it', () => db.exec(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`));
  await migrate(db, MIGRATIONS, async () => {});
  return sqliteStore(db, now, () => options.holder ?? thisProcess());
}

function sqliteStore(db: Db, now: () => number, holder: () => Holder): SessionStore {
  const held = leases(() => db, now);
  return {
    create: (session) => db.write('create a session', () => insertSession(db, session, now())),
    find: (ref) => db.read('find a session', () => findSessions(db, ref)),
    list: (filter = {}) => db.read('list the sessions', () => listSessions(db, filter)),
    retitle: (id, title, by) => db.write(`name session ${id}`, () => setTitle(db, id, title, by)),
    remove: (id) =>
      db.write(`remove session ${id}`, () => {
        const session = sessionNumber(db, id, 'remove it');
        refuseIfClaimed(db, id, session, holder(), now());
        deleteSession(db, id, session);
      }),

    entries: (id, afterSeq = 0) => db.read(`read session ${id}`, () => readEntries(db, id, afterSeq)),

    claim: async (id) => {
      const claim = await db.write(`claim session ${id}`, () => takeClaim(db, id, holder(), now()));
      held.add(sessionNumber(db, id, 'claim it'), claim);
      return claim;
    },
    release: async (claim) => {
      held.drop(claim);
      await db.write(`release session ${claim.sessionId}`, () => dropClaim(db, claim));
    },
    commit: (claim, change) =>
      db.write(`save a step of session ${claim.sessionId}`, () => {
        const session = held.numberOf(claim) ?? sessionNumber(db, claim.sessionId, 'write to it');
        const entries = applyChange(db, session, claim, change, now());
        held.renewed(claim);
        return entries;
      }),

    turn: (id) => db.read(`read the turn of session ${id}`, () => readTurn(db, id)),

    post: (item) => db.write(`leave a text for session ${item.sessionId}`, () => postItem(db, item, now())),
    waiting: (id) => db.read(`read the inbox of session ${id}`, () => waitingItems(db, id)),
    inbox: (id) => db.read(`read the inbox of session ${id}`, () => allItems(db, id)),

    calls: (filter) => db.read('read the ledger', () => readCalls(db, filter)),
    spent: (id) => db.read(`add up the calls of session ${id}`, () => sumCalls(db, id)),

    search: async () => [],

    fact: (key) => db.read('read a fact', () => readFact(db, key)),
    learn: (key, value) => db.write('keep a fact', () => writeFact(db, key, value)),

    tend: async () => false,
    check: async () => [],
    repair: async () => ({ rebuilt: [], problems: [], sessions: 0, entries: 0 }),
    backup: async () => {},

    [Symbol.asyncDispose]: async () => {
      for (const claim of held.clear()) await db.write('release a session', () => dropClaim(db, claim)).catch(() => undefined);
      db.close();
    },
  };
}
