import { isStoreError, type RepairReport, type SessionStore, type StoreCare } from '../../../contracts/session-store.ts';
import { lazy } from '../../../base/lazy.ts';
import { writeBackup } from './backup.ts';
import { dropClaim, listHeldEmptySessions, refuseIfClaimed, takeClaim, tellRunning } from './claims.ts';
import { branchSession } from './branch.ts';
import { createChangeHints, type ChangeHints } from './changes.ts';
import { applyChange } from './commit.ts';
import { createRunSessions, createSession } from './create-session.ts';
import { openDb, type Db, type DbOptions } from './database/db.ts';
import { readEntries } from './entries.ts';
import { prepareFile } from './file.ts';
import { identifyThisProcess, type StoreHolder } from './holder.ts';
import { listInboxItems, postItem, listWaitingItems } from './inbox.ts';
import { createLazyGateway } from './lazy-gateway.ts';
import { createLazyJobs } from './lazy-jobs.ts';
import { createLazyMemoryCursors } from './lazy-memory-cursors.ts';
import { createLazyQuestions } from './lazy-questions.ts';
import { createLazyRuns } from './lazy-runs.ts';
import { openLeases } from './leases.ts';
import { readCalls, sumCalls } from './ledger.ts';
import { readSchemaVersion, refuseOtherVersion } from './migrate.ts';
import { NEWEST_VERSION } from './migrations/all.ts';
import { openProcessStore } from './processes.ts';
import { areRunsUnused, pruneRuns } from './runs/prune.ts';
import { isReadOnly, openReadOnly } from './read-only.ts';
import type { SalvageResult } from './salvage.ts';
import { catchUp, isBehind } from './search/catch-up.ts';
import { withIndexRepair } from './remake-index.ts';
import { searchLog } from './search/search.ts';
import { isCorrupt } from './database/errors.ts';
import { deleteSession, findSessions, listSessions, listPendingSessions, readSessionNumber } from './sessions.ts';
import { setTitle } from './titles.ts';
import { readTurn } from './turns.ts';
import { watchWriters } from './watch-writers.ts';

export interface SqliteOptions extends DbOptions {
  readonly now?: () => number;
  /** Hears what the store did of its own accord; nobody does by default. */
  readonly notice?: (words: string) => void;
  /** Who claims are taken for; this process unless a test says otherwise. */
  readonly holder?: StoreHolder;
}

/** A store that is a file, and so has care to be taken of. */
export interface SqliteStore extends SessionStore {
  readonly care: StoreCare;
}

export async function openSqliteStore(options: SqliteOptions): Promise<SqliteStore> {
  if (isReadOnly(options.path)) return createSqliteStore(await openReadOnly(options), options);
  prepareFile(options.path);
  const db = await openCurrent(options).catch(async (error: unknown) => {
    // Without room beside it a store can still be read, from a copy where there is room.
    if (!isStoreError(error, 'full')) throw error;
    return openReadOnly(options).catch(() => Promise.reject(error));
  });
  return createSqliteStore(db, options);
}

/** The store's database with the newest schema. */
async function openCurrent(options: SqliteOptions): Promise<Db> {
  const db = await openDb(options);
  try {
    if ((await db.read('read the version', () => readSchemaVersion(db))) !== NEWEST_VERSION)
      await (await import('./upgrade.ts')).upgradeStore(db);
    db.guard(() => refuseOtherVersion(db));
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** For a store that does not even open; one that does repairs itself. */
export async function repairSqliteStore(options: SqliteOptions): Promise<RepairReport> {
  const { lost, kept } = await salvageUnlessOpen(options);
  await using store = await openSqliteStore(options);
  const report = await store.care.repair();
  return { ...report, problems: [...lost, ...kept, ...report.problems], lost: [...lost, ...report.lost] };
}

async function salvageUnlessOpen(options: SqliteOptions): Promise<SalvageResult> {
  try {
    await using _ = await openSqliteStore(options);
    return { lost: [], kept: [] };
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    const { salvage } = await import('./salvage.ts');
    return salvage(options.path, options.now?.() ?? Date.now());
  }
}

/** The store on an open database whose schema is current. */
export function createSqliteStore(db: Db, options: Pick<SqliteOptions, 'now' | 'holder' | 'notice'>): SqliteStore {
  const { now = Date.now, holder, notice = () => {} } = options;
  const me = () => holder ?? identifyThisProcess();
  const log = createRunSessions(db, now, me);
  const hints = createChangeHints((tell) => watchWriters(db, tell));
  const base = { db, now, me, tell: hints.tell, log };
  return {
    ...sessions(db, now, me),
    ...writing(db, now, me, hints),
    ...reading(db, notice),
    gateway: createLazyGateway(lazy(async () => (await import('./gateway/gateway.ts')).openGateway(base))),
    questions: createLazyQuestions(lazy(async () => (await import('./questions.ts')).openQuestionStore(db, now))),
    processes: openProcessStore(db),
    jobs: createLazyJobs(lazy(async () => (await import('./jobs/jobs.ts')).openJobStore(base))),
    memory: createLazyMemoryCursors(lazy(async () => (await import('./memory-cursors.ts')).openMemoryCursors(base))),
    runs: createLazyRuns(lazy(async () => (await import('./runs/runs.ts')).openRunStore(base))),
    changes: hints.listen,
    care: careOf(db, now, me, notice),
  };
}

type StorePart<Names extends keyof SessionStore> = Pick<SessionStore, Names>;
type ReadTime = () => number;
type FindOwnHolder = () => StoreHolder;
type NotifyOwner = (words: string) => void;

const sessions = (
  db: Db,
  now: ReadTime,
  me: FindOwnHolder,
): StorePart<'create' | 'find' | 'list' | 'pending' | 'branch' | 'adopt' | 'retitle' | 'remove'> => ({
  create: (session) => db.write('create a session', () => createSession(db, session, me(), now())),
  find: (ref) => db.read('find a session', () => tellRunning(db, findSessions(db, ref), me(), now())),
  list: (filter = {}) =>
    db.read('list the sessions', () => tellRunning(db, listSessions(db, filter, listHeldEmptySessions(db, me(), now())), me(), now())),
  pending: () => db.read('look for what is left to do', () => listPendingSessions(db, (found) => tellRunning(db, found, me(), now()))),
  branch: (id, at) => db.write(`branch from session ${id}`, () => branchSession(db, id, at, now())),
  adopt: async (session) => {
    const { adoptSession } = await import('./adopt.ts');
    return db.write(`take over session ${session.id}`, () => adoptSession(db, session, me(), now()));
  },
  retitle: (id, title, by) => db.write(`name session ${id}`, () => setTitle(db, id, title, by)),
  remove: async (id) => {
    const { forgetSessionChats } = await import('./gateway/forget.ts');
    const { beginPurge, purgeStep } = await import('./purge.ts');
    await db.write(`remove session ${id}`, () => {
      const session = readSessionNumber(db, id);
      refuseIfClaimed(db, id, session, me(), now());
      forgetSessionChats(db, id, now());
      deleteSession(db, id, session);
      beginPurge(db);
    });
    // The session is removed already; where this fails, the next tending goes on.
    while (await purgeStep(db).catch(() => false));
  },
});

function writing(
  db: Db,
  now: ReadTime,
  me: FindOwnHolder,
  { tell, close }: ChangeHints,
): StorePart<'claim' | 'release' | 'commit' | 'post' | 'learn' | typeof Symbol.asyncDispose> {
  const held = openLeases(db, now);
  return {
    // A claim is one of processes that live: what a power cut takes of it, nobody has any more.
    claim: async (id) => {
      const { session, claim } = await db.write(`claim session ${id}`, () => takeClaim(db, id, me(), now()), 'with_next');
      held.add(session, claim);
      return claim;
    },
    release: async (claim) => {
      held.drop(claim);
      await db.write(`release session ${claim.sessionId}`, () => dropClaim(db, claim), 'with_next');
      tell({ type: 'released', sessionId: claim.sessionId });
    },
    commit: async (claim, change) => {
      const plan = change.deliveries && (await import('./gateway/deliveries.ts')).planDeliveries;
      const entries = await db.write(
        `save a step of session ${claim.sessionId}`,
        () => {
          const session = held.numberOf(claim) ?? readSessionNumber(db, claim.sessionId);
          return applyChange(db, session, claim, change, { now: now(), plan });
        },
        change.continues === true ? 'with_next' : 'now',
      );
      if (change.end !== undefined) tell({ type: 'ended', sessionId: claim.sessionId, reason: change.end });
      if (plan !== undefined) tell({ type: 'work', kind: 'delivery' });
      return entries;
    },
    post: async (item) => {
      const posted = await db.write(`leave a text for session ${item.sessionId}`, () => postItem(db, item, now()));
      if (posted.fate === undefined) tell({ type: 'inbox', sessionId: item.sessionId, mode: item.mode });
      return posted;
    },
    learn: (key, value, expected) => db.write('keep a fact', () => writeFact(db, key, value, expected)),
    [Symbol.asyncDispose]: async () => {
      close();
      for (const claim of held.clear()) await db.write('release a session', () => dropClaim(db, claim)).catch(() => undefined);
      db.close();
    },
  };
}

const reading = (
  db: Db,
  notice: NotifyOwner,
): StorePart<'entries' | 'turn' | 'waiting' | 'inbox' | 'calls' | 'spent' | 'compactions' | 'activity' | 'search' | 'fact'> => ({
  entries: (id, afterSeq = 0) => db.read(`read session ${id}`, () => readEntries(db, id, afterSeq)),
  turn: (id) => db.read(`read the turn of session ${id}`, () => readTurn(db, id)),
  waiting: (id) => db.read(`read the inbox of session ${id}`, () => listWaitingItems(db, id)),
  inbox: (id) => db.read(`read the inbox of session ${id}`, () => listInboxItems(db, id)),
  calls: (filter) => db.read('read the ledger', () => readCalls(db, filter)),
  spent: (id) => db.read(`add up the calls of session ${id}`, () => sumCalls(db, id)),
  compactions: async ({ since }) => {
    const { readReports } = await import('./reports.ts');
    return db.read('read the reports of compactions', () => readReports(db, since));
  },
  activity: async ({ since }) => {
    const { readActivity } = await import('./activity.ts');
    return db.read('count what happened', () => readActivity(db, since));
  },
  search: (query) => withIndexRepair(db, notice, () => searchLog(db, query)),
  fact: (key) => db.read('read a fact', () => readFact(db, key)),
});

const careOf = (db: Db, now: ReadTime, me: FindOwnHolder, notice: NotifyOwner): StoreCare => ({
  tend: async () => {
    const isIndexBehind = await withIndexRepair(db, notice, () => tendIndex(db));
    const behind = [
      await tendSpace(db),
      await tendGateway(db, now()),
      await tendRuns(db, now()),
      await tendJobs(db, now()),
      await tendFacts(db),
    ];
    return isIndexBehind || behind.includes(true);
  },
  check: async () => {
    const { findTrouble } = await import('./check.ts');
    return Object.values(await findTrouble(db)).flat();
  },
  repair: async () => {
    const { repairStore } = await import('./repair.ts');
    return repairStore(db, me(), now());
  },
  backup: (path) => writeBackup(db, path),
  settleCopy: async ({ keepCursors }) => {
    const { settleCopy } = await import('./settle-copy.ts');
    return db.write('settle a copy', () => settleCopy(db, keepCursors));
  },
});

const tendIndex = async (db: Db): Promise<boolean> =>
  (await db.read('look at the search index', () => isBehind(db))) && db.write('tend the search index', () => catchUp(db));

/** Clears what removed rows left in the index and in the log, and gives free pages back. */
const tendSpace = async (db: Db): Promise<boolean> => {
  const { isPurgeDue, purgeStep } = await import('./purge.ts');
  return (await db.read('look for what was removed', () => isPurgeDue(db))) && purgeStep(db);
};

/** Lets go of what of chats is long over. */
async function tendGateway(db: Db, now: number): Promise<boolean> {
  if (await db.read('look for old rows', () => isGatewayUnused(db))) return false;
  const { pruneGateway } = await import('./gateway/prune.ts');
  return db.write('remove old rows', () => pruneGateway(db, now));
}
/** Lets go of runs that are long over. */
const tendRuns = async (db: Db, now: number): Promise<boolean> =>
  !(await db.read('look for old runs', () => areRunsUnused(db))) && db.write('remove old runs', () => pruneRuns(db, now));

const isGatewayUnused = (db: Db): boolean =>
  ['arrivals', 'deliveries', 'routes', 'dead_targets', 'cursors'].every((table) => db.get(`SELECT 1 FROM ${table} LIMIT 1`) === undefined);

async function tendJobs(db: Db, now: number): Promise<boolean> {
  if (
    await db.read('look for old jobs', () => ['jobs', 'job_runs'].every((table) => db.get(`SELECT 1 FROM ${table} LIMIT 1`) === undefined))
  )
    return false;
  const finish = await import('./jobs/finish.ts');
  return db.write('remove old jobs', () => finish.pruneJobs(db, now));
}

/** Earlier versions left an empty fact of every event that they sent to an address. */
const SENT_EVENTS = "FROM facts WHERE key >= 'hook-event:' AND key < 'hook-event;' AND value = ''";
const MAX_FORGOTTEN = 5_000;
async function tendFacts(db: Db): Promise<boolean> {
  if (await db.read('look for old facts', () => db.get(`SELECT 1 ${SENT_EVENTS} LIMIT 1`) === undefined)) return false;
  const sql = `DELETE FROM facts WHERE key IN (SELECT key ${SENT_EVENTS} LIMIT ${MAX_FORGOTTEN})`;
  return db.write('remove old facts', () => db.run(sql) === MAX_FORGOTTEN);
}

const readFact = (db: Db, key: string): string | undefined =>
  db.get<{ value: string }>('SELECT value FROM facts WHERE key = ?', key)?.value;

function writeFact(db: Db, key: string, value: string | undefined, expected: string | null | undefined): boolean {
  if (expected !== undefined && (readFact(db, key) ?? null) !== expected) return false;
  if (value === undefined) db.run('DELETE FROM facts WHERE key = ?', key);
  else db.run('INSERT INTO facts (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value', key, value);
  return true;
}
