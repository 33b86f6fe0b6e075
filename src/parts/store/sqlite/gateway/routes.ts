import type { Json, JsonObject } from '../../../../base/json-types.ts';
import type { Admission, Route, RouteFilter } from '../../../../contracts/gateway-store.ts';
import { StoreError } from '../../../../contracts/session-store.ts';
import type { Db, SqlValue } from '../database/db.ts';
import { fromJson } from '../database/json.ts';
import type { GatewayBase } from './base.ts';
import { currentKey } from './moved.ts';

interface RouteRow {
  readonly key: string;
  readonly session_id: string | null;
  readonly used_at: number;
  readonly place: string;
  readonly facts: string;
}
type RoutePlace = Pick<Route, 'target' | 'chat'>;

/** Only those a message came from: of others nothing but facts is known. */
const SELECT = 'SELECT key, session_id, used_at, place, facts FROM routes WHERE place IS NOT NULL';

export function readRoute(db: Db, key: string): Route | undefined {
  const row = db.get<RouteRow>(`${SELECT} AND key = ?`, currentKey(db, key));
  return row && toRoute(row);
}

export function listRoutes(db: Db, { under, limit = -1, ...filter }: RouteFilter, now: number): Route[] {
  const conditions = listConditions(filter, now);
  const order = filter.idleForMs !== undefined ? 'used_at, key' : filter.latestFirst === true ? 'used_at DESC, n DESC' : 'n';
  const select = (more: readonly RouteCondition[], most: number): RouteRow[] => {
    const all = [...more, ...conditions];
    const sql = `${SELECT}${all.map(([text]) => ` AND ${text}`).join('')} ORDER BY ${order} LIMIT ?`;
    return db.all<RouteRow>(sql, ...all.flatMap(([, ...values]) => values), most);
  };
  const rows =
    under === undefined
      ? select([], limit)
      : under.flatMap((key) => select([['(key = ? OR (key > ? AND key < ?))', key, `${key}/`, `${key}0`]], limit));
  return rows.map(toRoute);
}

type RouteCondition = readonly [text: string, ...values: SqlValue[]];

function listConditions({ platform, sessionId, fact, idleForMs, after }: RouteFilter, now: number): readonly RouteCondition[] {
  return [
    ...(sessionId === undefined ? [] : [['session_id = ?', sessionId] as const]),
    ...(idleForMs === undefined ? [] : [['session_id IS NOT NULL AND used_at <= ?', now - idleForMs] as const]),
    ...(after === undefined ? [] : [['(used_at, key) > (?, ?)', after.usedAt, after.key] as const]),
    ...(platform === undefined ? [] : [['platform = ?', platform] as const]),
    ...(fact === undefined ? [] : [['json_extract(facts, ?) = ?', `$.${JSON.stringify(fact.name)}`, fact.value] as const]),
  ];
}

export const findRoutedSession = (db: Db, key: string): string | undefined =>
  db.get<{ session_id: string | null }>('SELECT session_id FROM routes WHERE key = ?', key)?.session_id ?? undefined;

/** A message came by it. */
export function setRoute(db: Db, { routeKey, target, chat }: Admission, sessionId: string, now: number): void {
  const sql = `INSERT INTO routes (key, platform, session_id, used_at, place) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET platform = excluded.platform, session_id = excluded.session_id, used_at = excluded.used_at, place = excluded.place`;
  db.run(sql, routeKey, target.platform, sessionId, now, JSON.stringify({ target, chat } satisfies RoutePlace));
}

export function rerouteChat({ db, log }: GatewayBase, key: string, from: string | undefined, to: string | null): boolean {
  if (to !== null && log.find(to) === undefined)
    throw new StoreError('missing', `Chat ${key} cannot lead to session ${to}: there is no such session.`);
  return (
    db.run(
      'UPDATE routes SET session_id = ? WHERE key = ? AND place IS NOT NULL AND session_id IS ?',
      to,
      currentKey(db, key),
      from ?? null,
    ) === 1
  );
}

export function rememberFacts(db: Db, given: string, facts: Readonly<Record<string, Json | null>>, now: number): void {
  const key = currentKey(db, given);
  const known = db.get<{ facts: string }>('SELECT facts FROM routes WHERE key = ?', key);
  const merged = Object.entries({ ...parseFacts(key, known?.facts ?? '{}'), ...facts }).filter(([, value]) => value !== null);
  const sql = 'INSERT INTO routes (key, used_at, facts) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET facts = excluded.facts';
  db.run(sql, key, now, JSON.stringify(Object.fromEntries(merged)));
}

/** A chat's route under another key and place. What the old one led to goes on; what was only begun under the new one gives way. */
export function moveRoute(db: Db, keys: { readonly from: string; readonly to: string }, moved: (place: RoutePlace) => RoutePlace): void {
  const sql = 'SELECT key, session_id, used_at, place, facts FROM routes WHERE key = ?';
  const [old, fresh] = [db.get<MovedRow>(sql, keys.from), db.get<MovedRow>(sql, keys.to)];
  if (old === undefined) return;
  const place = old.place === null ? (fresh?.place ?? null) : JSON.stringify(moved(parsePlace(keys.from, old.place)));
  const facts = { ...(fresh && parseFacts(keys.to, fresh.facts)), ...parseFacts(keys.from, old.facts) };
  db.run('DELETE FROM routes WHERE key = ?', keys.to);
  db.run(
    'UPDATE routes SET key = ?, session_id = ?, used_at = ?, place = ?, facts = ? WHERE key = ?',
    keys.to,
    old.session_id ?? fresh?.session_id ?? null,
    Math.max(old.used_at, fresh?.used_at ?? 0),
    place,
    JSON.stringify(facts),
    keys.from,
  );
}
type MovedRow = Omit<RouteRow, 'place'> & { readonly place: string | null };

const parsePlace = (key: string, text: string): RoutePlace => fromJson<RoutePlace>(text, `the route of chat ${key}`);
const parseFacts = (key: string, text: string): JsonObject => fromJson<JsonObject>(text, `what is remembered of chat ${key}`);

function toRoute(row: RouteRow): Route {
  return {
    key: row.key,
    ...parsePlace(row.key, row.place),
    ...(row.session_id !== null && { sessionId: row.session_id }),
    usedAt: row.used_at,
    facts: parseFacts(row.key, row.facts),
  };
}
