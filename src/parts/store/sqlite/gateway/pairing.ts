import { createTimeId } from '../../../../base/ids.ts';
import type {
  PairedPerson,
  Pairing,
  PairingLimits,
  PairingOffer,
  PairingOfferResult,
  PersonRef,
} from '../../../../contracts/gateway-store.ts';
import type { Db } from '../database/db.ts';
import { insertWithFreshId } from '../database/fresh-id.ts';
import { countUp, dropCounter, readRemaining, setCounter } from './counters.ts';

interface StoredPairing {
  readonly id: string;
  readonly platform: string;
  readonly user_id: string;
  readonly name: string | null;
  readonly hash: string;
  readonly salt: string;
  readonly offered_by: PairingOffer['by'];
  readonly at: number;
  readonly expires_at: number;
}

/** Limits hold whatever process asks, and after a restart. A new code of somebody takes the place of their last one. */
export function offerPairing(db: Db, offer: PairingOffer, limits: PairingLimits, now: number): PairingOfferResult {
  const { platform, userId, name, hash, salt, by } = offer;
  const locked = readPairingLock(db, platform, now);
  if (locked !== undefined) return { type: 'locked', waitMs: locked };
  db.run('DELETE FROM pairings WHERE expires_at <= ?1 AND again_at <= ?1', now);
  const own = [platform, userId, by] as const;
  const OWN = 'platform = ? AND user_id = ? AND offered_by = ?';
  const last = db.get<{ again: number | null }>(`SELECT max(again_at) AS again FROM pairings WHERE ${OWN}`, ...own)?.again ?? 0;
  if (last > now) return { type: 'too_soon', waitMs: last - now };
  db.run(`DELETE FROM pairings WHERE ${OWN}`, ...own);
  const pending = db.all<{ expires_at: number }>(PENDING, platform, by, now);
  const [first] = pending;
  if (first !== undefined && pending.length >= limits.maxPending) return { type: 'too_many', waitMs: first.expires_at - now };
  const sql = `INSERT OR IGNORE INTO pairings (id, platform, user_id, name, hash, salt, offered_by, at, expires_at, again_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  const values = [platform, userId, name ?? null, hash, salt, by, now, now + limits.ttlMs, now + limits.perPersonMs] as const;
  const id = insertWithFreshId(
    () => createTimeId('p', now),
    (drawn) => db.run(sql, drawn, ...values),
  );
  return { type: 'offered', id };
}
const PENDING = 'SELECT expires_at FROM pairings WHERE platform = ? AND offered_by = ? AND expires_at > ? ORDER BY expires_at';

export function listPairings(db: Db, platform: string | undefined, now: number): Pairing[] {
  const sql = `SELECT id, platform, user_id, name, hash, salt, offered_by, at, expires_at FROM pairings
    WHERE expires_at > ?1 AND (?2 IS NULL OR platform = ?2) ORDER BY at, id`;
  return db.all<StoredPairing>(sql, now, platform ?? null).map((row) => ({
    id: row.id,
    platform: row.platform,
    userId: row.user_id,
    ...(row.name !== null && { name: row.name }),
    hash: row.hash,
    salt: row.salt,
    by: row.offered_by,
    at: row.at,
    expiresInMs: row.expires_at - now,
  }));
}

/** A code works once. Its right words end the count of wrong ones. */
export function acceptPairing(
  db: Db,
  id: string,
  { platform, userId, name }: PersonRef & { readonly name?: string },
  now: number,
): boolean {
  if (db.run('UPDATE pairings SET expires_at = ?1 WHERE id = ?2 AND expires_at > ?1', now, id) !== 1) return false;
  dropCounter(db, failures(platform));
  const sql = `INSERT INTO people (platform, user_id, name, at) VALUES (?, ?, ?, ?)
    ON CONFLICT (platform, user_id) DO UPDATE SET name = coalesce(excluded.name, name)`;
  db.run(sql, platform, userId, name ?? null, now);
  return true;
}

export function failPairing(db: Db, platform: string, { maxFailures, lockMs }: PairingLimits, now: number): number | undefined {
  const locked = readPairingLock(db, platform, now);
  if (locked !== undefined) return locked;
  if (countUp(db, failures(platform), lockMs, now) < maxFailures) return undefined;
  dropCounter(db, failures(platform));
  setCounter(db, lock(platform), maxFailures, now + lockMs);
  return lockMs;
}

export const readPairingLock = (db: Db, platform: string, now: number): number | undefined => readRemaining(db, lock(platform), now);

const failures = (platform: string): string => `wrong pairing codes: ${platform}`;
const lock = (platform: string): string => `pairing locked: ${platform}`;

interface PersonRow {
  readonly platform: string;
  readonly user_id: string;
  readonly name: string | null;
  readonly at: number;
}
const PEOPLE = 'SELECT platform, user_id, name, at FROM people';

export const listPeople = (db: Db, platform: string | undefined): PairedPerson[] =>
  db.all<PersonRow>(`${PEOPLE} WHERE ?1 IS NULL OR platform = ?1 ORDER BY at, platform, user_id`, platform ?? null).map(toPerson);

export function findPerson(db: Db, { platform, userId }: PersonRef): PairedPerson | undefined {
  const row = db.get<PersonRow>(`${PEOPLE} WHERE platform = ? AND user_id = ?`, platform, userId);
  return row && toPerson(row);
}

export const removePerson = (db: Db, { platform, userId }: PersonRef): boolean =>
  db.run('DELETE FROM people WHERE platform = ? AND user_id = ?', platform, userId) === 1;

const toPerson = ({ platform, user_id: userId, name, at }: PersonRow): PairedPerson => ({
  platform,
  userId,
  ...(name !== null && { name }),
  at,
});
