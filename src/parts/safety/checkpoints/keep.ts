import { createTimeId } from '../../../base/ids.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { ChangedFile, CheckpointBefore, HeldFile } from './model.ts';
import { isSameState } from './model.ts';
import { listMissingParents, capturePathState } from './peek.ts';
import type { ScanRow } from './rows.ts';
import { takeSnapshot, type FolderSnapshot, type SnapshotBounds, type FileTree } from './snapshot.ts';
import type { Checkpoints } from './store.ts';
import type { KeepTarget } from './targets.ts';
import { diffTrees, writeTree } from './tree.ts';

/** A target as it stood before the call. */
export interface HeldTarget {
  readonly keeping: CheckpointBefore;
  /** Present when all of the root was kept. */
  readonly tree?: FileTree;
}
export type CheckpointLabel = Pick<CheckpointBefore, 'sessionId' | 'turnId' | 'tool' | 'what' | 'at'> & { readonly joins?: string };

/** What is known of folders while this program runs, by the generation of the store it is true for. */
export interface FolderCache {
  recall(root: string, generation: string): ReadonlyMap<string, ScanRow>;
  learn(root: string, generation: string, snapshot: Pick<FolderSnapshot, 'rows' | 'news'>): void;
  /** Writes down what was learnt, for the next program. */
  note(root: string): void;
}

export function createFolderCache(store: Checkpoints): FolderCache {
  const known = new Map<string, { readonly generation: string; readonly files: ReadonlyMap<string, ScanRow>; readonly unsaved: boolean }>();
  return {
    recall: (root, generation) => {
      const found = known.get(root) ?? store.rows(root);
      // Files look the same whatever was taken out of the store; only that they are in it must be believed no more.
      if (found === undefined || found.generation === generation) return found?.files ?? new Map();
      return new Map([...found.files].map(([path, row]) => [path, { ...row, stored: false }]));
    },
    learn: (root, generation, { rows, news }) => {
      const before = known.get(root);
      known.set(root, {
        generation,
        files: rows,
        unsaved: news || before?.unsaved === true || (before !== undefined && before.generation !== generation),
      });
    },
    note: (root) => {
      const found = known.get(root);
      if (found?.unsaved !== true) return;
      store.saveRows({ root, generation: found.generation, files: found.files });
      known.set(root, { ...found, unsaved: false });
    },
  };
}

/** Puts what a target holds into the store, as one record that is not seen yet. */
export async function captureTarget(
  target: KeepTarget,
  label: CheckpointLabel,
  { store, knowledge, bounds }: KeepDeps,
  generation: string,
): Promise<HeldTarget & { readonly added: number }> {
  const head = { ...label, id: createTimeId('c', label.at), root: target.root };
  if (!target.whole) {
    const { files, added } = await holdFiles(target.root, target.paths, bounds, store);
    return { keeping: { ...head, files }, added };
  }
  const snapshot = await takeSnapshot(target.root, knowledge.recall(target.root, generation), bounds, store.blobs);
  knowledge.learn(target.root, generation, snapshot);
  const { tree, added } = snapshot;
  const list = writeTree(tree);
  const hash = sha256(list);
  const more = await store.blobs.put(hash, list);
  store.blobs.settle();
  return { keeping: { ...head, files: [], tree: hash }, tree, added: added + more };
}

export interface KeepDeps {
  readonly store: Checkpoints;
  readonly knowledge: FolderCache;
  readonly bounds: SnapshotBounds;
}

async function holdFiles(root: string, paths: readonly string[], { maxFileBytes }: SnapshotBounds, { blobs }: Checkpoints) {
  const files: HeldFile[] = [];
  let sum = 0;
  for (const path of new Set(paths.flatMap((each) => [...listMissingParents(root, each), each]))) {
    const { kept, added } = await capturePathState(root, path, maxFileBytes, blobs);
    files.push({ path, before: kept });
    sum += added;
  }
  blobs.settle();
  return { files, added: sum };
}

/** What is no longer as it was held. */
export async function findChanges({ keeping, tree }: HeldTarget, { knowledge, bounds, store }: KeepDeps): Promise<ChangedFile[]> {
  const { root, files } = keeping;
  if (tree !== undefined) {
    const generation = store.generation();
    const now = await takeSnapshot(root, knowledge.recall(root, generation), bounds);
    knowledge.learn(root, generation, now);
    return diffTrees(tree, now.tree);
  }
  const changed: ChangedFile[] = [];
  for (const { path, before } of files) {
    const { kept } = await capturePathState(root, path, bounds.maxFileBytes);
    if (!isSameState(before, kept)) changed.push({ path, before, after: kept });
  }
  return changed;
}
