import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../base/sha256.ts';
import type { CheckpointBlobs } from './blobs.ts';
import type { KeptState } from './model.ts';
import type { ScanRow } from './rows.ts';
import { scan, type ScanBounds, type SeenEntry } from './scan.ts';

export type FileTree = ReadonlyMap<string, KeptState>;

export interface FolderSnapshot {
  readonly tree: FileTree;
  readonly rows: ReadonlyMap<string, ScanRow>;
  /** Something had to be read, or is gone: what was known before is no longer all there is to know. */
  readonly news: boolean;
  /** Bytes it added to the store. */
  readonly added: number;
}
export interface SnapshotBounds extends ScanBounds {
  readonly maxFileBytes: number;
  /** Bytes all files may have together. */
  readonly maxBytes: number;
  /** Reading a large folder for the first time may not hold up a call for longer. */
  readonly patienceMs: number;
}
/** The folder cannot be kept as a whole; the words say why. */
export class FolderTooLarge extends Error {
  readonly code = 'over_bounds';
}

/** A change within the tick in which a file was looked at would not show in its stamp. No disk's clock is coarser than this. */
const TICK_MS = 50;
/** Writes to the store at a time; more only queue up. */
const AT_ONCE = 8;

/**
 * Everything below a folder as it is now. Files that look as they did when they were last read are not read again. With
 * `blobs`, every file's bytes are in the store afterwards; without, they are only hashed.
 */
export async function takeSnapshot(
  root: string,
  known: ReadonlyMap<string, ScanRow>,
  bounds: SnapshotBounds,
  blobs?: CheckpointBlobs,
): Promise<FolderSnapshot> {
  const startedAt = Date.now();
  const seen = (await scan(root, bounds)).toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const bytes = seen.reduce((sum, { kind, size }) => sum + (kind === 'file' && size <= bounds.maxFileBytes ? size : 0), 0);
  if (bytes > bounds.maxBytes) throw new FolderTooLarge(`the files below ${root} have more than ${mega(bounds.maxBytes)} MB together`);
  const tree = new Map<string, KeptState>();
  const rows = new Map<string, ScanRow>();
  const writing = new Set<Promise<void>>();
  let [added, news] = [0, false];
  try {
    for (const each of seen) {
      const row = each.kind === 'file' && each.size <= bounds.maxFileBytes ? rowOf(root, each, known.get(each.path), blobs) : undefined;
      tree.set(each.path, toKeptState(each, row?.hash));
      if (row === undefined) continue;
      const racy = each.changedAt > startedAt - TICK_MS;
      rows.set(each.path, { stamp: racy ? '' : each.stamp, hash: row.hash, stored: row.stored || blobs !== undefined });
      if (row.bytes === undefined) continue;
      news = true;
      if (Date.now() - startedAt > bounds.patienceMs)
        throw new FolderTooLarge(`reading ${root} takes longer than ${bounds.patienceMs / 1_000} s`);
      if (blobs === undefined || row.stored) continue;
      const write: Promise<void> = blobs.put(row.hash, row.bytes).then((size) => {
        added += size;
        writing.delete(write);
      });
      // One that failed stays, to be met below; until then it must not count as nobody's.
      write.catch(() => {});
      writing.add(write);
      if (writing.size >= AT_ONCE) await Promise.race(writing);
    }
    await Promise.all(writing);
  } finally {
    // Whoever is told of a failure finds nobody writing any more.
    await Promise.allSettled(writing);
  }
  blobs?.settle();
  return { tree, rows, news: news || rows.size !== known.size, added };
}

interface ReadRow {
  readonly hash: string;
  readonly stored: boolean;
  /** Present when it was read just now. */
  readonly bytes?: Buffer;
}

/** `undefined` for a file that cannot be read. */
function rowOf(
  root: string,
  { path, stamp }: SeenEntry,
  known: ScanRow | undefined,
  blobs: CheckpointBlobs | undefined,
): ReadRow | undefined {
  if (known?.stamp === stamp && (known.stored || blobs === undefined)) return known;
  try {
    const bytes = readFileSync(join(root, path));
    const hash = sha256(bytes);
    return { hash, stored: known?.hash === hash && known.stored, bytes };
  } catch {
    return undefined;
  }
}

export function toKeptState({ kind, mode, stamp, target = '' }: SeenEntry, hash: string | undefined): KeptState {
  if (kind === 'link') return { is: 'link', target };
  if (kind === 'folder') return { is: 'folder', mode };
  return hash === undefined ? { is: 'too_large', mode, stamp } : { is: 'file', hash, mode };
}

const mega = (bytes: number): number => Math.round(bytes / 1_048_576);
