import { closeSync, existsSync, fstatSync, openSync, readSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { openDb, queryInMemory, type Db } from './database/db.ts';
import { isUnreadable } from './database/errors.ts';
import { prepareFile } from './file.ts';
import { copyTable, type TableLoss } from './salvage-copy.ts';
import { copyFoundTables } from './salvage-lent.ts';
import { repairSalvagedLog } from './salvage-repair.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/all.ts';
import { refuseIfAnyClaimed } from './claims.ts';
import { withSoundHeader } from './salvage-header.ts';
import { listSalvagedTables, type SalvagedTable } from './salvage-tables.ts';
import { identifyThisProcess } from './holder.ts';

export interface SalvageResult {
  /** What could not be saved, in words. */
  readonly lost: readonly string[];
  /** Where the damaged file is, and what could not be saved and is no loss. */
  readonly kept: readonly string[];
}

/** Copies what can be read of a damaged store into a fresh file and puts that in its place; the old file stays beside it. */
export async function salvage(path: string, now: number): Promise<SalvageResult> {
  const fresh = `${path}.salvage`;
  for (const end of ENDS) rmSync(fresh + end, { force: true });
  prepareFile(fresh);
  const target = await openDb({ path: fresh, durability: 'process' });
  await migrate(target, MIGRATIONS, async () => {});
  const { lost, beside } = await fill(target, path, now).catch((error: unknown) => {
    target.close();
    throw error;
  });
  await target.read('finish the copy', () => target.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  target.close();
  const aside = `${path}.corrupt-${now}`;
  for (const end of ENDS) if (existsSync(path + end)) renameSync(path + end, aside + end);
  renameSync(fresh, path);
  return { lost, kept: [...beside, `The damaged file is kept as ${aside}.`] };
}

/** A database and the files SQLite keeps beside it. */
const ENDS = ['', '-wal', '-shm'] as const;

/** Who is at work now: those are asked again, and nothing of the owner's is in it. */
const HOLDERS: readonly string[] = ['claims', 'credential_leases', 'tickers'];

interface FillResult {
  readonly lost: readonly string[];
  readonly beside: readonly string[];
}

async function fill(target: Db, path: string, now: number): Promise<FillResult> {
  // What a fresh store begins with stands in the file once it was written back.
  await target.read('write the header', () => target.exec('PRAGMA wal_checkpoint(PASSIVE)'));
  using readable = withSoundHeader(path, target.path);
  const tables = listSalvagedTables(target);
  const source = await openSource(readable.path, now);
  const losses =
    source === undefined ? await copyFoundTables(readable.path, target, tables) : await copyListedTables(source, target, tables);
  if (losses === undefined) return { lost: ['Nothing could be read: the file is not a database.'], beside: [] };
  // The list of claims may have been found only now.
  refuseIfAnyClaimed(target, identifyThisProcess(), now);
  const areTurnsLost = losses.some(
    ({ table, missing, failures, damaged }) => table.name === 'turns' && (missing || failures + damaged > 0),
  );
  const isHolder = ({ table }: TableLoss): boolean => HOLDERS.includes(table.name);
  return {
    lost: [
      ...describeLosses(losses.filter((loss) => !isHolder(loss))),
      ...(await target.write('close the gaps', () => repairSalvagedLog(target, now, areTurnsLost))),
    ],
    beside: describeLosses(losses.filter(isHolder)),
  };
}

async function copyListedTables(source: Db, target: Db, tables: readonly SalvagedTable[]): Promise<TableLoss[]> {
  try {
    const { user_version: version } = source.get<{ user_version: number }>('PRAGMA user_version') ?? { user_version: 0 };
    // What a later version added was never there.
    const known = listTablesOfVersion(version);
    const losses: TableLoss[] = [];
    for (const table of tables.filter(({ name }) => known.has(name)))
      losses.push(await target.write(`save ${table.name}`, () => copyTable(source, target, table)));
    return losses;
  } finally {
    source.close();
  }
}

const listTablesOfVersion = (version: number): ReadonlySet<string> => {
  const due = MIGRATIONS.filter((migration) => migration.version <= version || version === 0).map(({ sql }) => sql);
  return new Set(
    queryInMemory<{ name: string }>(due.join('\n'), "SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => name),
  );
};

const describeLosses = (losses: readonly TableLoss[]): string[] =>
  losses.flatMap(({ table: { name }, missing, failures, damaged }) => {
    if (missing) return [`${name}: the table is missing. Nothing of it could be saved.`];
    if (failures + damaged === 0) return [];
    const said = [
      ...(failures === 0 ? [] : [`${failures} ${failures === 1 ? 'place' : 'places'} could not be read`]),
      ...(damaged === 0 ? [] : [`${damaged} ${damaged === 1 ? 'row was' : 'rows were'} damaged`]),
    ];
    return [`${name}: ${said.join(', ')}. The rest was saved.`];
  });

/** Holds the write lock while it is read, so that nobody adds to a file that is about to be put aside. */
async function openSource(path: string, now: number): Promise<Db | undefined> {
  padToFullLength(path);
  try {
    const source = await openDb({ path });
    await source.read('lock the store for repair', () => source.exec('BEGIN IMMEDIATE'));
    await source.read('look for writers', () => refuseIfAnyClaimed(source, identifyThisProcess(), now)).catch(ignoreDamage);
    return source;
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

/** Claims that cannot be read are nobody's; a claim that can be read and is held still refuses. */
function ignoreDamage(error: unknown): void {
  if (!isUnreadable(error)) throw error;
}

/** SQLite refuses a file that is shorter than its header says, all of it. With zeros at its end, the rest can be read. */
function padToFullLength(path: string): void {
  const header = Buffer.alloc(100);
  const file = openSync(path, 'r');
  const read = readSync(file, header, 0, header.length, 0);
  const { size } = fstatSync(file);
  closeSync(file);
  if (read < header.length || header.toString('latin1', 0, 15) !== 'SQLite format 3') return;
  const pages = header.readUInt32BE(28);
  const full = pages * (header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16));
  if (size < full && full < size * 100) truncateSync(path, full);
}
