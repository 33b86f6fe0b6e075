import type { Backlog, Deferral, Taken, TakenRow, TakeOptions, WorkKind, WorkRow } from '../../../../contracts/gateway-store.ts';
import type { Db } from '../database/db.ts';
import { findArrival } from './arrivals.ts';
import type { GatewayBase } from './base.ts';
import { findDelivery } from './deliveries.ts';
import { isDead, nameProcess } from './holders.ts';
import { holdRow, moveUp, TABLE_OF, type WorkTable } from './line.ts';

type FindRow = { readonly [Kind in WorkKind]: (db: Db, id: string, now: number) => WorkRow<Kind> };
const FIND: FindRow = { arrival: findArrival, delivery: findDelivery };

/** What the dead held is free like what nobody has. */
export async function takeRows<Kind extends WorkKind>(
  { db, now, me }: GatewayBase,
  kind: Kind,
  options: TakeOptions,
): Promise<TakenRow<Kind>[]> {
  const table = TABLE_OF[kind];
  const dead = await db.read('look for work', () => listDead(db, table, me));
  const { past } = options;
  const find = () => (past === undefined ? listFree(db, table, options, now()) : listPassing(db, table, past, now()));
  // Most looks find nothing, and they take no lock.
  if (dead.length === 0 && (await db.read('look for work', find)).length === 0) return [];
  return db.write(
    'take work',
    () => {
      for (const process of dead) db.run(FREE[table], now(), process);
      const read: (db: Db, id: string, now: number) => WorkRow<Kind> = FIND[kind];
      return find().map(({ id, token }) => {
        const taken: Taken = { kind, id, token: token + 1 };
        db.run(TAKE[table], options.owner, nameProcess(me()), now() + options.leaseMs, id);
        return { taken, row: read(db, id, now()) };
      });
    },
    'with_next',
  );
}

/** Whoever had it until now died with it in hand. Once it was taken, its place in line is its own. */
const take = (table: WorkTable): string =>
  `UPDATE ${table} SET token = token + 1, attempts = attempts + (owner IS NOT NULL), owner = ?, process = ?, due = ?, place = 0 WHERE id = ?`;
const TAKE: Readonly<Record<WorkTable, string>> = { arrivals: take('arrivals'), deliveries: take('deliveries') };

/** Whatever a dead process held, of these accounts or of others. */
const free = (table: WorkTable): string =>
  `UPDATE ${table} SET owner = NULL, process = NULL, attempts = attempts + 1, due = min(due, ?) WHERE process = ?`;
const FREE: Readonly<Record<WorkTable, string>> = { arrivals: free('arrivals'), deliveries: free('deliveries') };

function listDead(db: Db, table: WorkTable, me: GatewayBase['me']): string[] {
  const held = db.all<{ process: string }>(`SELECT DISTINCT process FROM ${table} WHERE owner IS NOT NULL`);
  return held.map(({ process }) => process).filter((process) => isDead(process, me()));
}

/** With a plus no index of accounts is used: it would lead through all that ever arrived instead of what is due. A process names few, and always the same. */
function inAccounts(accounts: TakeOptions['accounts']): { readonly sql: string; readonly values: readonly string[] } {
  if (accounts === undefined) return { sql: '', values: [] };
  const sql = `AND (+platform, +account) IN (${accounts.length === 0 ? 'SELECT 0, 0 WHERE 0' : `VALUES ${accounts.map(() => '(?, ?)').join(', ')}`})`;
  return { sql, values: accounts.flatMap(({ platform, account }) => [platform, account]) };
}

function listFree(
  db: Db,
  table: WorkTable,
  { accounts, limit }: Pick<TakeOptions, 'accounts' | 'limit'>,
  now: number,
): { readonly id: string; readonly token: number }[] {
  const { sql, values } = inAccounts(accounts);
  return db.all(`SELECT id, token FROM ${table} WHERE due <= ? ${sql} ORDER BY due, n LIMIT ?`, now, ...values, limit);
}

/** The row behind one that is held, when nobody else of its line goes past that one. After a death both are free, each by itself. */
function listPassing(
  db: Db,
  table: WorkTable,
  { front, id }: NonNullable<TakeOptions['past']>,
  now: number,
): { readonly id: string; readonly token: number }[] {
  const sql = `SELECT row.id, row.token FROM ${table} AS row JOIN ${table} AS front USING (platform, account, chat)
    WHERE front.id = ? AND front.token = ? AND front.owner IS NOT NULL AND row.id = ? AND row.n > front.n
      AND row.over_at IS NULL AND row.owner IS NULL AND row.not_before <= ?
      AND NOT EXISTS (SELECT 1 FROM ${table} AS other WHERE other.platform = front.platform AND other.account = front.account
        AND other.chat = front.chat AND other.over_at IS NULL AND other.owner IS NOT NULL AND other.n > front.n)`;
  return db.all(sql, front.id, front.token, id, now);
}

export function renewRows(db: Db, taken: readonly Taken[], until: number): Taken[] {
  return taken.filter(({ kind, id, token }) => {
    const sql = `UPDATE ${TABLE_OF[kind]} SET due = ? WHERE id = ? AND token = ? AND owner IS NOT NULL`;
    return db.run(sql, until, id, token) === 1;
  });
}

export function deferRow(db: Db, taken: Taken, { delayMs, why, counts, orHeard }: Deferral, now: number): void {
  const table = TABLE_OF[taken.kind];
  const row = holdRow(db, taken.kind, taken);
  const sql = `UPDATE ${table} SET owner = NULL, process = NULL, due = NULL, not_before = ?, why = ?, attempts = attempts + ? WHERE n = ?`;
  db.run(sql, now + delayMs, why, counts ? 1 : 0, row.n);
  if (taken.kind === 'delivery') db.run('UPDATE deliveries SET or_heard = ? WHERE n = ?', orHeard === true ? 1 : 0, row.n);
  moveUp(db, table, row);
}

export function readNextDue({ db, now, me }: GatewayBase, kind: WorkKind, accounts: TakeOptions['accounts']): number | undefined {
  const table = TABLE_OF[kind];
  if (listDead(db, table, me).length > 0) return 0;
  const time = now();
  const { sql, values } = inAccounts(accounts);
  const open = `SELECT due FROM ${table} WHERE due IS NOT NULL AND (owner IS NULL OR due <= ?) ${sql} ORDER BY due LIMIT 1`;
  const next = db.get<{ due: number }>(open, time, ...values);
  return next && Math.max(0, next.due - time);
}

export function readBacklog({ db, now }: GatewayBase, kind: WorkKind): Backlog {
  const sql = `SELECT count(*) AS rows, min(at) AS oldest FROM ${TABLE_OF[kind]} WHERE over_at IS NULL`;
  const { rows = 0, oldest } = db.get<{ rows: number; oldest: number | null }>(sql) ?? {};
  return { rows, oldestAgeMs: oldest == null ? 0 : Math.max(0, now() - oldest) };
}
