import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withFileLock } from '../../../base/file-lock.ts';
import { randomHex } from '../../../base/ids.ts';
import { replaceFile } from '../../../base/replace-file.ts';
import { sha256 } from '../../../base/sha256.ts';
import { openBlobs, type CheckpointBlobs } from './blobs.ts';
import { readStoreTotals, writeStoreTotals, type StoreTotals } from './totals.ts';
import type { CheckpointBefore, KeptState, CheckpointAfter, CheckpointRecord } from './model.ts';
import { openRecords, type CheckpointRecords } from './records.ts';
import { groupRecords, findOutlived, findOverweight, type CheckpointGroup, type CheckpointLimits } from './retention.ts';
import { readRows, writeRows, type ScanRows } from './rows.ts';
import { readTree } from './tree.ts';

/**
 * What was kept, in one folder of the profile. Contents lie under their hash, records name them. A record is seen only
 * when everything it names is on the disk; nothing a record names is ever taken out before the record. Several processes
 * may use it at once; a kill at any moment costs at most the record that was not finished.
 */
export interface Checkpoints {
  readonly blobs: CheckpointBlobs;
  /** To be asked before contents are put in; `commit` refuses when something was taken out since. */
  generation(): string;
  readonly commit: Commit;
  /** Runs work during which nobody takes anything out; its `commit` is the one to use. Everybody else waits meanwhile. */
  undisturbed<Value>(work: (commit: Commit) => Promise<Value>): Promise<Value>;
  finish(id: string, leaving: CheckpointAfter): Promise<void>;
  drop(ids: readonly string[]): void;
  /** A moment that no record has yet, and later than `than`: moments give what happened its order. */
  tick(than?: number): number;
  /** Oldest first, without what has had its time and merely was not cleared away yet. */
  records(): CheckpointRecord[];
  one(id: string): CheckpointRecord | undefined;
  rows(root: string): ScanRows | undefined;
  saveRows(rows: ScanRows): void;
  prune(): Promise<PruneResult>;
  /** Takes everything out. */
  clear(): Promise<PruneResult>;
  status(): { readonly checkpoints: number; readonly bytes: number; readonly prunedAt: number };
}
/** Makes records visible. `false` when contents they name may be gone: put them in again and come back. */
export type Commit = (keepings: readonly CheckpointBefore[], generation: string, added: number) => Promise<boolean>;
export interface PruneResult {
  readonly checkpoints: number;
  readonly blobs: number;
  readonly bytes: number;
}

const DAY_MS = 86_400_000;
/** A writer that is still at it finishes sooner. */
const UNFINISHED_MS = 3_600_000;

/** By folder: calls and rollbacks of one process open the same store, each for itself. */
const lastTicks = new Map<string, number>();

export function openCheckpoints(folder: string, limits: CheckpointLimits, now: () => number = Date.now): Checkpoints {
  const [blobs, records] = [openBlobs(join(folder, 'blobs')), openRecords(join(folder, 'records'))];
  const books = join(folder, 'books.json');
  const rowsOf = (root: string): string => join(folder, 'seen', `${sha256(root).slice(0, 24)}.json`);
  const rooms: CheckpointStoreState = { folder, blobs, records, books, limits, now };
  const alone = <Value>(work: () => Value | Promise<Value>): Promise<Value> => withFileLock(join(folder, 'books'), work);
  return {
    blobs,
    generation: () => readStoreTotals(books).generation,
    commit: (keepings, generation, added) => alone(() => commit(rooms, keepings, generation, added)),
    undisturbed: (work) => alone(() => work((...args) => commit(rooms, ...args))),
    finish: (id, leaving) => records.finish(id, leaving),
    tick: (than = 0) => {
      const moment = Math.max(now(), than + 1, (lastTicks.get(folder) ?? 0) + 1);
      lastTicks.set(folder, moment);
      return moment;
    },
    drop: (ids) => records.remove(ids),
    records: () => withoutOld(records.all(), limits, now()),
    one: (id) => records.one(id),
    rows: (root) => readRows(rowsOf(root)),
    saveRows: (rows) => replaceFile(rowsOf(rows.root), writeRows(rows), 0o600),
    prune: () => alone(() => prune(rooms)),
    clear: () => alone(() => prune({ ...rooms, limits: { ...limits, keepMs: -Infinity } })),
    status: () => ({
      checkpoints: groupRecords(records.all()).length,
      bytes: [...blobs.sizes().values()].reduce((sum, size) => sum + size, 0),
      prunedAt: readStoreTotals(books).prunedAt,
    }),
  };
}

interface CheckpointStoreState {
  readonly folder: string;
  readonly blobs: CheckpointBlobs;
  readonly records: CheckpointRecords;
  readonly books: string;
  readonly limits: CheckpointLimits;
  readonly now: () => number;
}

async function commit(rooms: CheckpointStoreState, ...[keepings, generation, added]: Parameters<Commit>): Promise<boolean> {
  const found = readStoreTotals(rooms.books);
  if (found.generation !== generation) return false;
  for (const keeping of keepings) await rooms.records.write(keeping);
  keepBooks(rooms, { ...found, bytes: found.bytes + added });
  return true;
}

function withoutOld(all: readonly CheckpointRecord[], limits: CheckpointLimits, now: number): CheckpointRecord[] {
  const old = new Set(findOutlived(groupRecords(all), limits, now).flatMap(({ members }) => members));
  return all.filter((record) => !old.has(record));
}

/** Looks the store through once a day, and whenever it seems to have grown too large. */
function keepBooks(rooms: CheckpointStoreState, found: StoreTotals): void {
  const due = found.prunedAt < rooms.now() - DAY_MS || found.bytes > rooms.limits.maxBytes;
  if (found.prunedAt === 0) writeStoreTotals(rooms.books, { ...found, prunedAt: rooms.now() });
  else if (due) prune(rooms);
  else writeStoreTotals(rooms.books, found);
}

/** Under the lock. The generation changes before the first blob goes, and records go before what they name. */
function prune(rooms: CheckpointStoreState): PruneResult {
  const { blobs, records, limits, now } = rooms;
  const groups = groupRecords(records.all());
  const old = new Set(findOutlived(groups, limits, now()));
  const young = groups.filter((group) => !old.has(group));
  const sizes = blobs.sizes();
  const named = new Map(young.map((group) => [group, hashesOf(group, blobs)]));
  const heavy = new Set(findOverweight(young, (group) => named.get(group) ?? [], sizes, limits.maxBytes));
  const going = [...old, ...heavy];
  const live = new Set(young.filter((group) => !heavy.has(group)).flatMap((group) => [...(named.get(group) ?? [])]));
  const dead = [...sizes.keys()].filter((hash) => !live.has(hash));
  const bytes = [...sizes].reduce((sum, [hash, size]) => sum + (live.has(hash) ? size : 0), 0);
  const generation = dead.length === 0 ? readStoreTotals(rooms.books).generation : randomHex(12);
  writeStoreTotals(rooms.books, { generation, bytes, prunedAt: now() });
  records.remove(going.flatMap(({ members }) => members.map(({ id }) => id)));
  for (const hash of dead) blobs.remove(hash);
  sweep(rooms);
  return { checkpoints: going.length, blobs: dead.length, bytes: dead.reduce((sum, hash) => sum + (sizes.get(hash) ?? 0), 0) };
}

function sweep({ folder, blobs, records, limits, now }: CheckpointStoreState): void {
  blobs.sweep(now() - UNFINISHED_MS);
  records.sweep(now() - UNFINISHED_MS);
  const seen = join(folder, 'seen');
  try {
    for (const name of readdirSync(seen)) {
      const path = join(seen, name);
      if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < now() - limits.keepMs) rmSync(path, { force: true });
    }
  } catch {}
}

/** Everything the records of a group name, and what the lists they name do. */
function hashesOf({ members }: CheckpointGroup, blobs: CheckpointBlobs): Set<string> {
  const states = members.flatMap(({ files, left }) => [...files, ...(left?.files ?? [])].map(({ before }) => before));
  const trees = members.flatMap(({ tree }) => tree ?? []);
  const pins = members.flatMap((record) => record.pins ?? []);
  return new Set([...trees, ...pins, ...hashesIn(states), ...trees.flatMap((tree) => hashesIn(treeStates(tree, blobs)))]);
}
const hashesIn = (states: readonly KeptState[]): string[] => states.flatMap((state) => (state.is === 'file' ? [state.hash] : []));

/** A list that is damaged names nothing any more. */
function treeStates(tree: string, blobs: CheckpointBlobs): KeptState[] {
  try {
    return [...readTree(blobs.read(tree)).values()];
  } catch {
    return [];
  }
}
