import { setImmediate as breathe } from 'node:timers/promises';
import type { RepairReport } from '../../../contracts/session-store.ts';
import { findTrouble } from './check.ts';
import { COUNTED } from './entries.ts';
import { listHeldEmptySessions } from './claims.ts';
import type { Db } from './database/db.ts';
import { straightenLines } from './gateway/line.ts';
import type { StoreHolder } from './holder.ts';
import { needsRewrite, rewriteStore } from './rewrite.ts';
import { salvage } from './salvage.ts';
import { catchUp, clearIndex, LARGE } from './search/catch-up.ts';
import { deleteUnused } from './sessions.ts';

/** Saves what a damaged file still holds, then makes every derived table anew from the log. */
export async function repairStore(db: Db, me: StoreHolder, now: number): Promise<RepairReport> {
  const { damage, stale } = await findTrouble(db);
  if (damage.length > 0) db.letGo();
  const saved = damage.length > 0 ? await salvage(db.path, now) : { lost: [], kept: [] };
  const removed = await rebuild(db, me, now);
  const sessions = await db.read('count the sessions', () => rows(db, 'sessions'));
  const entries = await db.read('count the entries', () => rows(db, 'entries'));
  const problems = [...damage, ...stale, ...saved.lost, ...saved.kept, ...removed];
  return { rebuilt: ['session counters', 'lines of chats', 'search index'], problems, lost: saved.lost, sessions, entries };
}

/** Says what was taken out. */
async function rebuild(db: Db, me: StoreHolder, now: number): Promise<string[]> {
  await db.write('count every session anew', () => db.run(`UPDATE sessions SET (last_seq, messages) = (${COUNTED})`));
  await db.write('line up what waits', () => straightenLines(db));
  await db.write('empty the search index', () => clearIndex(db));
  const unused = await db.write('remove what was never used', () => deleteUnused(db, listHeldEmptySessions(db, me, now)));
  while (await db.write('fill the search index', () => catchUp(db, LARGE))) await breathe();
  if (needsRewrite(db)) await rewriteStore(db).catch(() => undefined);
  return unused === 0 ? [] : [`Removed ${unused} empty sessions.`];
}

const rows = (db: Db, table: 'sessions' | 'entries'): number =>
  db.get<{ found: number }>(`SELECT count(*) AS found FROM ${table}`)?.found ?? 0;
