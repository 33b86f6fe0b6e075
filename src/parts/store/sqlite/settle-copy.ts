import type { SettledCopy } from '../../../contracts/session-store.ts';
import type { Db } from './database/db.ts';

/** One transaction: a copy is settled or it is not. */
export function settleCopy(db: Db, keepCursors: boolean): SettledCopy {
  const marked = "UPDATE deliveries SET body = json_set(body, '$.mayRepeat', json('true')) WHERE over_at IS NULL";
  const deliveries = db.run(marked);
  const processes = db.run('DELETE FROM processes');
  // Whoever ran jobs there does not run them here, also where that process still lives.
  db.run('DELETE FROM tickers');
  db.run('UPDATE memory_cursors SET process = NULL, lease = NULL');
  if (!keepCursors) db.run('DELETE FROM cursors');
  return { deliveries, processes };
}
