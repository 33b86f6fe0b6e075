import { closeSync, existsSync, fstatSync, openSync, readSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { openDb, type Db } from './database/db.ts';
import { isUnreadable } from './database/errors.ts';
import { prepareFile } from './file.ts';
import { copyTable, TABLES } from './salvage-copy.ts';
import { repairSalvagedLog } from './salvage-repair.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/all.ts';
import { refuseIfAnyClaimed } from './claims.ts';
import { withSoundHeader } from './salvage-header.ts';
import { lendSchema } from './salvage-schema.ts';
import { identifyThisProcess } from './holder.ts';

export interface SalvageResult {
  /** What of the log could not be saved, in words. */
  readonly lost: readonly string[];
  /** What else could not be, and where the damaged file is. */
  readonly kept: readonly string[];
}

/** Copies what can be read of a damaged store into a fresh file and puts that in its place; the old file stays beside it. */
export async function salvage(path: string, now: number): Promise<SalvageResult> {
  const fresh = `${path}.salvage`;
  for (const end of ENDS) rmSync(fresh + end, { force: true });
  prepareFile(fresh);
  const target = await openDb({ path: fresh, durability: 'process' });
  await migrate(target, MIGRATIONS, async () => {});
  const { lost, beside } = await fill(target, path, now);
  await target.read('finish the copy', () => target.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  target.close();
  const aside = `${path}.corrupt-${now}`;
  for (const end of ENDS) if (existsSync(path + end)) renameSync(path + end, aside + end);
  renameSync(fresh, path);
  return { lost, kept: [...beside, `The damaged file is kept as ${aside}.`] };
}

/** A database and the files SQLite keeps beside it. */
const ENDS = ['', '-wal', '-shm'] as const;

async function fill(
  target: Db,
  path: string,
  now: number,
): Promise<{ readonly lost: readonly string[]; readonly beside: readonly string[] }> {
  // What a fresh store begins with stands in the file once it was written back.
  await target.read('write the header', () => target.exec('PRAGMA wal_checkpoint(PASSIVE)'));
  using readable = withSoundHeader(path, target.path);
  const own = await openSource(readable.path, now);
  using lent = own === undefined ? lendSchema(readable.path, target) : undefined;
  const source = own ?? (lent && (await openSource(lent.path, now)));
  if (source === undefined) return { lost: ['Nothing could be read: the file is not a database.'], beside: [] };
  try {
    const [lost, beside]: [string[], string[]] = [[], []];
    for (const table of TABLES) {
      const words = await target.write(`save ${table.name}`, () => copyTable(source, target, table));
      (table.beside === true ? beside : lost).push(...words);
    }
    return { lost: [...lost, ...(await target.write('close the gaps', () => repairSalvagedLog(target, now)))], beside };
  } finally {
    source.close();
  }
}

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
