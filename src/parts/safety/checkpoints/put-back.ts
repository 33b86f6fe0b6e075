import { chmodSync, readdirSync, renameSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toErrorMessage } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/folders.ts';
import { randomHex } from '../../../base/ids.ts';
import { withPathLocks } from '../../../base/path-lock.ts';
import { isAlive } from '../../../base/process-identity.ts';
import type { ChangedSince } from './history.ts';
import { isSameState, type KeptState } from './model.ts';
import { capturePathState } from './peek.ts';
import { resolveBelowRoot } from './place.ts';
import { tryLstat } from './scan.ts';
import type { SnapshotBounds } from './snapshot.ts';
import type { Checkpoints } from './store.ts';

export interface PutBackOptions {
  readonly store: Checkpoints;
  readonly bounds: SnapshotBounds;
  /** Takes a file away so that it can be had back. */
  readonly discard: (path: string) => Promise<void>;
}
export interface PutBackResult {
  readonly path: string;
  readonly fate: 'restored' | 'removed' | 'failed';
  readonly why?: string;
}

/** Each file on its own, so that one that cannot be put back costs no other. What goes, goes first; folders before what lies in them. */
export async function putBack(doing: readonly ChangedSince[], options: PutBackOptions): Promise<PutBackResult[]> {
  const failed = new Map<string, string>();
  const left = new Set<string>();
  const each = async (wanted: readonly ChangedSince[], act: (place: string, one: ChangedSince) => void | Promise<void>): Promise<void> => {
    for (const one of wanted) {
      try {
        if (!failed.has(one.full)) await withPathLocks([one.full], async () => act(resolveBelowRoot(one.root, one.path), one));
      } catch (error) {
        failed.set(one.full, toErrorMessage(error));
      }
    }
  };
  const deepest = doing.toReversed();
  const unchanged = (one: ChangedSince) => requireUnchanged(one, options.bounds);
  await each(deepest.filter(standsInTheWay), async (place, one) => {
    await unchanged(one);
    await options.discard(place);
  });
  await each(
    deepest.filter(({ present, target }) => present.is === 'folder' && target.is !== 'folder'),
    (place, { target }) => removeFolder(place, target, () => left.add(place)),
  );
  await each(
    doing.filter(({ present, target }) => target.is === 'folder' && present.is !== 'folder'),
    // As open as the owner's folders usually are; those whose mode is known get it below.
    (place) => makeFolder(place, 0o777),
  );
  await each(
    doing.filter(({ target }) => target.is === 'file' || target.is === 'link'),
    async (place, one) => {
      if (!standsInTheWay(one)) await unchanged(one);
      await restore(place, one.target, options);
    },
  );
  // A folder nobody may write to is closed only when all is in it.
  await each(
    deepest.filter(({ target }) => target.is === 'folder'),
    (place, { target }) => void (target.is === 'folder' && chmodSync(place, target.mode)),
  );
  return doing.flatMap(({ full, target, present }): PutBackResult[] => {
    const why = failed.get(full);
    if (why !== undefined) return [{ path: full, fate: 'failed', why }];
    const mode = describeModeChange(present, target);
    return left.has(full)
      ? []
      : [{ path: full, fate: target.is === 'absent' ? 'removed' : 'restored', ...(mode !== undefined && { why: mode }) }];
  });
}

/** What another session or program has written since the rollback was planned is not thrown away. */
async function requireUnchanged({ root, path, present }: ChangedSince, { maxFileBytes }: SnapshotBounds): Promise<void> {
  const { kept } = await capturePathState(root, path, maxFileBytes);
  // Where there is nothing by now, nothing is lost.
  if (kept.is !== 'absent' && !isSameState(kept, present))
    throw new Error('it was changed while it was rolled back; nothing was done to it');
}

/** Who may do what with a file, where that is all that changes. */
function describeModeChange(present: KeptState, target: KeptState): string | undefined {
  const isSame = present.is === 'file' && target.is === 'file' && present.hash === target.hash;
  return isSame && present.mode !== target.mode ? `mode ${octal(present.mode)} -> ${octal(target.mode)}` : undefined;
}
const octal = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, '0');

/** A file or link where nothing or a folder is to be; and bytes that could not be kept, which are not simply written over. */
const standsInTheWay = ({ present, target }: ChangedSince): boolean =>
  present.is === 'too_large' || ((present.is === 'file' || present.is === 'link') && (target.is === 'absent' || target.is === 'folder'));

/** A folder in which there is still something stays, unless a file has to stand in its place. */
function removeFolder(place: string, target: KeptState, stays: () => void): void {
  try {
    rmdirSync(place);
  } catch (error) {
    if (tryLstat(place) === undefined) return;
    if (target.is !== 'absent') throw error;
    stays();
  }
}

async function restore(place: string, target: KeptState, { store }: PutBackOptions): Promise<void> {
  makeFolder(dirname(place), 0o777);
  sweep(dirname(place));
  const beside = join(dirname(place), `${BESIDE}${process.pid}-${randomHex(12)}.tmp`);
  try {
    if (target.is === 'link') symlinkSync(target.target, beside);
    else if (target.is === 'file') await writeBeside(beside, store.blobs.read(target.hash), target.mode);
    renameSync(beside, place);
  } finally {
    rmSync(beside, { force: true });
  }
}

const BESIDE = '.hermes-rollback-';

/** What a rollback that was killed left beside its files. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(BESIDE) ? Number(/^\d+/.exec(name.slice(BESIDE.length))?.[0]) : NaN;
    if (!Number.isNaN(pid) && !isAlive({ pid, started: '' })) rmSync(join(folder, name), { force: true });
  }
}

async function writeBeside(beside: string, bytes: Buffer, mode: number): Promise<void> {
  const file = await open(beside, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}
