import { openDb, type Db } from '../src/parts/store/sqlite/database/db.ts';
import { catchUp, LARGE } from '../src/parts/store/sqlite/search/catch-up.ts';
import { openSqliteStore } from '../src/parts/store/sqlite/store.ts';
import { computeChecksum } from '../src/parts/store/sqlite/sum.ts';
import { generator, message } from './store-corpus.ts';

/** Messages of one session, unless somebody wants longer ones. */
const PER_SESSION = 50;

/** A store of that many messages. Rows go straight into the tables, the index is filled by the store's own code. */
export async function buildStore(
  path: string,
  messages: number,
  perSession = PER_SESSION,
): Promise<{ readonly insertSeconds: number; readonly indexSeconds: number }> {
  const store = await openSqliteStore({ path, durability: 'process' });
  await store[Symbol.asyncDispose]();
  const db = await openDb({ path, durability: 'process' });
  const random = generator(1);
  const start = performance.now();
  for (let from = 0; from < messages; from += 20_000) {
    await db.write('fill', () => {
      for (let n = from; n < Math.min(from + 20_000, messages); n++) insert(db, n, perSession, message(random));
    });
  }
  const filled = performance.now();
  while (await db.write('index', () => catchUp(db, LARGE)));
  const indexed = performance.now();
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return { insertSeconds: (filled - start) / 1000, indexSeconds: (indexed - filled) / 1000 };
}

function insert(db: Db, n: number, perSession: number, text: string): void {
  const session = Math.floor(n / perSession) + 1;
  const at = 1.7e12 + n * 1000;
  const hex = n.toString(16).padStart(6, '0');
  if (n % perSession === 0) {
    db.run(
      `INSERT INTO sessions (n, id, source, cwd, model, provider, started_at, updated_at, last_seq, messages) VALUES (?, ?, 'cli', '/', 'm', 'p', ?, ?, ?, ?)`,
      session,
      `20260101_000000_${hex}`,
      at,
      at,
      perSession,
      perSession,
    );
  }
  const body = JSON.stringify({
    type: 'message',
    message: { role: n % 2 === 0 ? 'user' : 'assistant', content: [{ type: 'text', text, trust: 'owner' }] },
  });
  const stored = { seq: (n % perSession) + 1, id: `e_${hex}`, turn_id: null, at, origin: 'user', body };
  const sql = `INSERT INTO entries (session, seq, id, at, origin, type, sum, body) VALUES (?, ?, ?, ?, 'user', 'message', ?, ?)`;
  db.run(sql, session, stored.seq, stored.id, at, computeChecksum(stored), body);
}
