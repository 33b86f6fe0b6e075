import type { RunStore } from '../../../../contracts/run-store.ts';
import type { Db } from '../database/db.ts';
import type { RunStoreBase } from './base.ts';
import { beginRun } from './begin.ts';
import { appendProgress, readRunEvents } from './events.ts';
import { createOwnedSession, findNamedSession, findPrefix, listOwnedSessions, readOwner, readOwnerSpending } from './owners.ts';
import { findRun, findRunByTurn, listOpenRuns, removeRun, requestStop } from './rows.ts';

/** Every method is one transaction. */
export const openRunStore = (base: RunStoreBase): RunStore => {
  const { db, now, tell } = base;
  return {
    begin: async (run) => {
      const flush = run.isPromised === true ? 'now' : 'with_next';
      const beginning = await db.write('begin a run', () => beginRun(base, run, now()), flush);
      if (beginning.type === 'begun') tell({ type: 'inbox', sessionId: beginning.session.id, mode: 'queue' });
      return beginning;
    },
    ...rowsOf(db),
    // In the order of later commits: what a power cut takes of it is told again.
    append: (progress) => db.write('keep what a run tells', () => appendProgress(base, progress, now()), 'with_next'),
    events: (id, after, limit) => db.read(`read the events of run ${id}`, () => readRunEvents(db, id, after, limit)),
    createSession: (begun) => db.write('begin a session', () => createOwnedSession(base, begun)),
    findOwner: (sessionId) => db.read(`find the owner of session ${sessionId}`, () => readOwner(db, sessionId)),
    listSessions: (filter) => db.read('list the sessions of an owner', () => listOwnedSessions(base, filter)),
    findNamed: (owner, name) => db.read('look for a conversation', () => findNamedSession(db, owner, name)),
    findPrefix: (owner, hashes) => db.read('look for a conversation', () => findPrefix(db, owner, hashes)),
    spent: (owner) => db.read(`read what ${owner} has spent`, () => readOwnerSpending(db, owner)),
  };
};

const rowsOf = (db: Db): Pick<RunStore, 'find' | 'findByTurn' | 'listOpen' | 'remove' | 'requestStop'> => ({
  find: (id) => db.read(`read run ${id}`, () => findRun(db, id)),
  findByTurn: (sessionId, turnId) => db.read(`find the run of turn ${turnId}`, () => findRunByTurn(db, sessionId, turnId)),
  listOpen: (sessionId) => db.read('look for open runs', () => listOpenRuns(db, sessionId)),
  remove: (id) => db.write(`remove run ${id}`, () => removeRun(db, id)),
  requestStop: (id) => db.write(`stop run ${id}`, () => requestStop(db, id)),
});
