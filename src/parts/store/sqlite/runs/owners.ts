import type { JsonObject } from '../../../../base/json-types.ts';
import type { OwnedSession, OwnedSessionFilter, OwnerSpending, SessionOwner, SessionPosition } from '../../../../contracts/run-store.ts';
import type { Session } from '../../../../contracts/session.ts';
import type { Db } from '../database/db.ts';
import { fromJson } from '../database/json.ts';
import type { RunStoreBase } from './base.ts';

export function createOwnedSession({ db, log }: RunStoreBase, { owner, session, facts, seed = [] }: OwnedSession): Session {
  const begun = log.begin(session, seed);
  const sql = 'INSERT INTO session_owners (session, owner, facts) SELECT n, ?, ? FROM sessions WHERE id = ?';
  db.run(sql, owner, JSON.stringify(facts), begun.id);
  db.run('INSERT OR IGNORE INTO owner_spending (owner, calls, tokens, price, unpriced) VALUES (?, 0, 0, 0, 0)', owner);
  return begun;
}

export function readOwner(db: Db, sessionId: string): SessionOwner | undefined {
  const sql = 'SELECT owner, facts FROM session_owners WHERE session = (SELECT n FROM sessions WHERE id = ?)';
  const row = db.get<{ owner: string; facts: string }>(sql, sessionId);
  return row && { owner: row.owner, facts: fromJson<JsonObject>(row.facts, `what is remembered of session ${sessionId}`) };
}

export function listOwnedSessions({ db, log }: RunStoreBase, { owner, platform, limit, offset = 0 }: OwnedSessionFilter): Session[] {
  const sql = `SELECT id FROM sessions JOIN session_owners ON session_owners.session = sessions.n
    WHERE (?1 IS NULL OR owner = ?1) AND (?4 IS NULL OR platform = ?4) AND is_child = 0 ORDER BY updated_at DESC, n DESC LIMIT ?2 OFFSET ?3`;
  return db.all<{ id: string }>(sql, owner ?? null, limit, offset, platform ?? null).flatMap(({ id }) => log.find(id) ?? []);
}

export function findNamedSession(db: Db, owner: string, name: string): string | undefined {
  const sql = `SELECT sessions.id FROM named_sessions JOIN sessions ON sessions.n = named_sessions.session WHERE owner = ? AND name = ?`;
  return db.get<{ id: string }>(sql, owner, name)?.id;
}
export const nameSession = (db: Db, owner: string, name: string, sessionId: string): number =>
  db.run('INSERT INTO named_sessions (owner, name, session) SELECT ?, ?, n FROM sessions WHERE id = ?', owner, name, sessionId);

interface KeptPrefixes {
  readonly owner: string;
  readonly session: number;
  readonly seq: number;
  readonly hashes: readonly string[];
}
/** Of two places with the same words the later one is gone on with. */
export function keepPrefixes(db: Db, { owner, session, seq, hashes }: KeptPrefixes, now: number): void {
  const sql = 'INSERT OR REPLACE INTO session_prefixes (owner, hash, session, seq, at) VALUES (?, ?, ?, ?, ?)';
  for (const hash of hashes) db.run(sql, owner, hash, session, seq, now);
}

export function findPrefix(db: Db, owner: string, hashes: readonly string[]): SessionPosition | undefined {
  const sql = `SELECT sessions.id, seq FROM session_prefixes JOIN sessions ON sessions.n = session_prefixes.session WHERE owner = ? AND hash = ?`;
  for (const hash of hashes) {
    const row = db.get<{ id: string; seq: number }>(sql, owner, hash);
    if (row !== undefined) return { sessionId: row.id, seq: row.seq };
  }
  return undefined;
}

const NOTHING_SPENT: OwnerSpending = { calls: 0, tokens: 0, price: 0, unpriced: 0 };
export const readOwnerSpending = (db: Db, owner: string): OwnerSpending => ({
  ...NOTHING_SPENT,
  ...db.get<OwnerSpending>('SELECT calls, tokens, price, unpriced FROM owner_spending WHERE owner = ?', owner),
});
