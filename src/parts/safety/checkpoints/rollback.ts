import { isWithin } from '../../../base/within.ts';
import { join } from 'node:path';
import { createTimeId } from '../../../base/ids.ts';
import { collectTrailsSince, type ChangedSince, type FileTrail } from './history.ts';
import { isSameState, type ChangedFile, type CheckpointBefore, type KeptState, type HeldFile, type CheckpointRecord } from './model.ts';
import { capturePathState } from './peek.ts';
import { putBack, type PutBackResult, type PutBackOptions } from './put-back.ts';
import type { CheckpointGroup } from './retention.ts';
import { takeSnapshot, type SnapshotBounds } from './snapshot.ts';
import type { Checkpoints } from './store.ts';
import { diffTrees, readTree } from './tree.ts';

/** What would become, or became, of one file. */
export interface RollbackFate {
  readonly path: string;
  readonly fate: 'restored' | 'removed' | 'conflict' | 'not_kept' | 'failed';
  readonly why?: string;
}
export type RollbackOptions = PutBackOptions;
export interface RollbackSelection {
  /** The checkpoints among which `since` is one: later ones are undone with it. */
  readonly groups: readonly CheckpointGroup[];
  readonly since: CheckpointGroup;
  /** Only this file or folder. */
  readonly only?: string;
  /** Also what somebody else changed since. */
  readonly all?: boolean;
  /** Under whose name the rollback itself is kept. */
  readonly sessionId: string;
}

/** What is to be done, without doing it. Files that are as they were are left out. */
export async function planRollback(ask: RollbackSelection, options: RollbackOptions): Promise<ChangedSince[]> {
  const wanted: ChangedSince[] = [];
  for (const trail of await trailsOf(ask, options)) {
    const full = join(trail.root, trail.path);
    const { kept: present } = await capturePathState(trail.root, trail.path, options.bounds.maxFileBytes);
    if (isSameState(present, trail.target)) continue;
    const conflict = conflictOf(trail, present);
    wanted.push({ ...trail, full, present, ...(conflict !== undefined && { conflict }) });
  }
  return wanted.toSorted((one, other) => (one.full < other.full ? -1 : 1));
}

/** Whether a checkpoint since then has to do with what is asked for, be it as it was or not. */
export const isTouched = async (ask: RollbackSelection, options: RollbackOptions): Promise<boolean> =>
  (await trailsOf(ask, options)).length > 0;

async function trailsOf({ groups, since, only }: RollbackSelection, { bounds, store }: RollbackOptions): Promise<FileTrail[]> {
  const complete = await Promise.all(
    groups.map(async (group) => ({ ...group, members: await Promise.all(group.members.map((each) => seenSince(each, store, bounds))) })),
  );
  return collectTrailsSince(complete, since).filter(({ root, path }) => only === undefined || isWithin(only, join(root, path)));
}

/** A call that was cut off left no word: what it may have changed is whatever is no longer as it was. */
async function seenSince(record: CheckpointRecord, store: Checkpoints, bounds: SnapshotBounds): Promise<CheckpointRecord> {
  if (record.left !== undefined || record.tree === undefined) return record;
  const before = readTree(store.blobs.read(record.tree));
  const { tree: now } = await takeSnapshot(record.root, new Map(), bounds);
  return { ...record, files: diffTrees(before, now).map(({ path, before: was }) => ({ path, before: was })) };
}

function conflictOf({ expected, disputed }: FileTrail, present: KeptState): string | undefined {
  // What a folder may be read by is no reason to leave it: its files are looked at one by one.
  if (present.is === 'folder') return undefined;
  if (!expected.some((state) => isSameState(state, present))) return 'it was changed after the agent last wrote it';
  return disputed;
}

/** Brings files back as they were before a checkpoint. What is there now is kept first, so that this can be undone like anything else. */
export async function rollBack(ask: RollbackSelection, options: RollbackOptions): Promise<RollbackFate[]> {
  const wanted = await planRollback(ask, options);
  const left = wanted.flatMap((each) => refusal(each, ask.all === true));
  const doing = wanted.filter(({ full }) => !left.some(({ path }) => path === full));
  if (doing.length === 0) return left;
  const keepings = await keepPresent(doing, ask, options);
  const fates = await putBack(doing, options);
  await correct(keepings, doing, fates, options);
  return [...fates.map(({ path, fate, why }) => ({ path, fate, ...(why !== undefined && { why }) })), ...left];
}

function refusal({ full, conflict, target }: ChangedSince, all: boolean): RollbackFate[] {
  if (target.is === 'too_large') return [{ path: full, fate: 'not_kept', why: 'it was too large to be kept, or could not be read' }];
  return conflict === undefined || all ? [] : [{ path: full, fate: 'conflict', why: conflict }];
}

/** Keeps what is there now and says what will be there, before anything is touched: a kill half way is then no riddle. */
function keepPresent(doing: readonly ChangedSince[], ask: RollbackSelection, options: RollbackOptions): Promise<CheckpointBefore[]> {
  const { store } = options;
  return store.undisturbed(async (commit) => {
    const newest = Math.max(0, ...store.records().map(({ at, left }) => Math.max(at, left?.at ?? 0)));
    const keepings: CheckpointBefore[] = [];
    let added = 0;
    for (const [root, places] of Map.groupBy(doing, (each) => each.root)) {
      const made = await presentOf(root, places, { at: store.tick(newest), ask, first: keepings[0]?.id }, options);
      keepings.push(made.keeping);
      added += made.added;
    }
    store.blobs.settle();
    await commit(keepings, store.generation(), added);
    for (const keeping of keepings) await store.finish(keeping.id, { at: store.tick(), files: planned(keeping, doing) });
    return keepings;
  });
}

interface RollbackContext {
  readonly at: number;
  readonly ask: RollbackSelection;
  readonly first: string | undefined;
}

async function presentOf(
  root: string,
  places: readonly ChangedSince[],
  { at, ask, first }: RollbackContext,
  { store, bounds }: RollbackOptions,
) {
  const files: HeldFile[] = [];
  let sum = 0;
  for (const { path } of places) {
    const { kept, added } = await capturePathState(root, path, bounds.maxFileBytes, store.blobs);
    files.push({ path, before: kept });
    sum += added;
  }
  const id = createTimeId('c', at);
  const what = `back to before ${ask.since.head.id}`;
  const pins = places.flatMap(({ target }) => (target.is === 'file' ? [target.hash] : []));
  const head = { id, at, sessionId: ask.sessionId, turnId: id, tool: 'rollback', what, root };
  const keeping: CheckpointBefore = { ...head, files, pins, ...(first !== undefined && { joins: first }) };
  return { keeping, added: sum };
}

const planned = ({ root, files }: CheckpointBefore, doing: readonly ChangedSince[]): ChangedFile[] =>
  files.flatMap((file) => {
    const target = doing.find((each) => each.root === root && each.path === file.path)?.target;
    return target === undefined ? [] : [{ ...file, after: target }];
  });

/** What could not be put back was not changed. */
async function correct(
  keepings: readonly CheckpointBefore[],
  doing: readonly ChangedSince[],
  fates: readonly PutBackResult[],
  { store }: RollbackOptions,
): Promise<void> {
  const failed = new Set(fates.flatMap(({ path, fate }) => (fate === 'failed' ? [path] : [])));
  if (failed.size === 0) return;
  for (const keeping of keepings) {
    const files = planned(keeping, doing).filter(({ path }) => !failed.has(join(keeping.root, path)));
    // The files are back; that this cannot be written down must not make it look otherwise.
    await store.finish(keeping.id, { at: store.tick(), files }).catch(() => {});
  }
}
