import type { TurnState } from '../../../contracts/turn.ts';
import type { Db } from './database/db.ts';
import { fromJson } from './database/json.ts';

export function saveTurn(db: Db, session: number, state: TurnState | null): void {
  if (state === null) db.run('DELETE FROM turns WHERE session = ?', session);
  else db.run('INSERT OR REPLACE INTO turns (session, phase, state) VALUES (?, ?, ?)', session, state.phase, JSON.stringify(state));
}

export function readTurn(db: Db, sessionId: string): TurnState | undefined {
  const sql = 'SELECT state FROM turns WHERE session = (SELECT n FROM sessions WHERE id = ?)';
  const row = db.get<{ state: string }>(sql, sessionId);
  return row === undefined ? undefined : fromJson<TurnState>(row.state, `the turn of session ${sessionId}`);
}
