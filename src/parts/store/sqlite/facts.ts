import type { Db } from './database/db.ts';

export const readFact = (db: Db, key: string): string | undefined =>
  db.get<{ value: string }>('SELECT value FROM facts WHERE key = ?', key)?.value;

export function writeFact(db: Db, key: string, value: string): void {
  db.run('INSERT INTO facts (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value', key, value);
}
