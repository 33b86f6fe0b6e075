import { createTimeId } from '../../../../base/ids.ts';
import type {
  AccountRef,
  PairedPerson,
  Pairing,
  PairingLimits,
  PairingOffer,
  PairingOfferResult,
  PersonRef,
} from '../../../../contracts/gateway-store.ts';
import type { ChatPlace } from '../../../../contracts/platform-adapter.ts';
import type { Db } from '../database/db.ts';
import { fromJson } from '../database/json.ts';
import { insertWithFreshId } from '../database/fresh-id.ts';
import { countUp, dropCounter, readRemaining, setCounter } from './counters.ts';

interface StoredPairing {
  readonly id: string;
  readonly platform: string;
  readonly account: string;
  readonly user_id: string;
  readonly name: string | null;
  readonly hash: string;
  readonly salt: string;
  readonly offered_by: PairingOffer['by'];
  readonly place: string | null;
  readonly at: number;
  readonly expires_at: number;
}

/** Limits hold whatever process asks, and after a restart. A new code of somebody takes the place of their last one. */
export function offerPairing(db: Db, offer: PairingOffer, limits: PairingLimits, now: number): PairingOfferResult {
  const { platform, account, userId, name, hash, salt, by, place } = offer;
  const locked = readPairingLock(db, offer, now);
  if (locked !== undefined) return { type: 'locked', waitMs: locked };
  db.run('DELETE FROM pairings WHERE expires_at <= ?1 AND again_at <= ?1', now);
  const own = [platform, account, userId, by] as const;
  const OWN = 'platform = ? AND account = ? AND user_id = ? AND offered_by = ?';
  const last = db.get<{ again: number | null }>(`SELECT max(again_at) AS again FROM pairings WHERE ${OWN}`, ...own)?.again ?? 0;
  if (last > now) return { type: 'too_soon', waitMs: last - now };
  db.run(`DELETE FROM pairings WHERE ${OWN}`, ...own);
  const pending = db.all<{ expires_at: number }>(PENDING, platform, account, by, now, now - limits.deliverMs);
  const [first] = pending;
  if (first !== undefined && pending.length >= limits.maxPending) return { type: 'too_many', waitMs: first.expires_at - now };
  const isThere = by === 'owner';
  const sql = `INSERT OR IGNORE INTO pairings (id, platform, account, user_id, name, hash, salt, offered_by, place, at, expires_at, again_at, confirmed_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  const times = [now, now + limits.ttlMs, isThere ? now + limits.perPersonMs : now, isThere ? now : null] as const;
  const kept = place === undefined ? null : JSON.stringify(place);
  const values = [platform, account, userId, name ?? null, hash, salt, by, kept, ...times] as const;
  const id = insertWithFreshId(
    () => createTimeId('p', now),
    (drawn) => db.run(sql, drawn, ...values),
  );
  return { type: 'offered', id };
}
/** One that never reached its person may not keep others out. */
const PENDING = `SELECT expires_at FROM pairings WHERE platform = ? AND account = ? AND offered_by = ? AND expires_at > ?
  AND (confirmed_at IS NOT NULL OR at > ?) ORDER BY expires_at`;

export function confirmPairing(db: Db, id: string, { perPersonMs }: PairingLimits, now: number): void {
  db.run('UPDATE pairings SET confirmed_at = ?1, again_at = ?2 WHERE id = ?3 AND confirmed_at IS NULL', now, now + perPersonMs, id);
}

const OF_ACCOUNT = '(?1 IS NULL OR (platform = ?1 AND account = ?2))';
const accountValues = (ref: AccountRef | undefined) => [ref?.platform ?? null, ref?.account ?? null] as const;

export function listPairings(db: Db, ref: AccountRef | undefined, now: number): Pairing[] {
  const sql = `SELECT id, platform, account, user_id, name, hash, salt, offered_by, place, at, expires_at FROM pairings
    WHERE ${OF_ACCOUNT} AND expires_at > ?3 ORDER BY at, id`;
  return db.all<StoredPairing>(sql, ...accountValues(ref), now).map((row) => ({
    id: row.id,
    platform: row.platform,
    account: row.account,
    userId: row.user_id,
    ...(row.name !== null && { name: row.name }),
    hash: row.hash,
    salt: row.salt,
    by: row.offered_by,
    ...(row.place !== null && { place: fromJson<ChatPlace>(row.place, `pairing ${row.id}`) }),
    at: row.at,
    expiresInMs: row.expires_at - now,
  }));
}

/** A code works once. Its right words end the count of wrong ones. */
export function acceptPairing(db: Db, id: string, person: PersonRef & { readonly name?: string }, now: number): boolean {
  const { platform, account, userId, name } = person;
  const used = 'UPDATE pairings SET expires_at = ?1 WHERE id = ?2 AND platform = ?3 AND account = ?4 AND expires_at > ?1';
  if (db.run(used, now, id, platform, account) !== 1) return false;
  dropCounter(db, failures(person));
  const sql = `INSERT INTO people (platform, account, user_id, name, at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (platform, account, user_id) DO UPDATE SET name = coalesce(excluded.name, name)`;
  db.run(sql, platform, account, userId, name ?? null, now);
  return true;
}

export function failPairing(db: Db, ref: AccountRef, { maxFailures, lockMs }: PairingLimits, now: number): number | undefined {
  const locked = readPairingLock(db, ref, now);
  if (locked !== undefined) return locked;
  if (countUp(db, failures(ref), lockMs, now) < maxFailures) return undefined;
  dropCounter(db, failures(ref));
  setCounter(db, lock(ref), maxFailures, now + lockMs);
  return lockMs;
}

export const readPairingLock = (db: Db, ref: AccountRef, now: number): number | undefined => readRemaining(db, lock(ref), now);

/** The account that needs no name has the counters that a whole platform had before. */
const nameOf = ({ platform, account }: AccountRef): string => (account === 'main' ? platform : JSON.stringify([platform, account]));
const failures = (ref: AccountRef): string => `wrong pairing codes: ${nameOf(ref)}`;
const lock = (ref: AccountRef): string => `pairing locked: ${nameOf(ref)}`;

interface PersonRow {
  readonly platform: string;
  readonly account: string;
  readonly user_id: string;
  readonly name: string | null;
  readonly at: number;
}
const PEOPLE = 'SELECT platform, account, user_id, name, at FROM people';

export const listPeople = (db: Db, ref: AccountRef | undefined): PairedPerson[] =>
  db.all<PersonRow>(`${PEOPLE} WHERE ${OF_ACCOUNT} ORDER BY at, platform, account, user_id`, ...accountValues(ref)).map(toPerson);

export function findPerson(db: Db, { platform, account, userId }: PersonRef): PairedPerson | undefined {
  const row = db.get<PersonRow>(`${PEOPLE} WHERE platform = ? AND account = ? AND user_id = ?`, platform, account, userId);
  return row && toPerson(row);
}

export const removePerson = (db: Db, { platform, account, userId }: PersonRef): boolean =>
  db.run('DELETE FROM people WHERE platform = ? AND account = ? AND user_id = ?', platform, account, userId) === 1;

const toPerson = ({ platform, account, user_id: userId, name, at }: PersonRow): PairedPerson => ({
  platform,
  account,
  userId,
  ...(name !== null && { name }),
  at,
});
