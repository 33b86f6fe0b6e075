import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Home } from '../../../base/home.ts';
import type { UndoRecorder } from '../../../contracts/undo.ts';
import { resolveFromNearestParent } from '../../../base/real-path.ts';
import type { RollbackOptions } from './rollback.ts';
import type { SnapshotBounds } from './snapshot.ts';
import { openCheckpoints, type Checkpoints } from './store.ts';
import type { CheckpointContext } from './targets.ts';
import { createUndo } from './undo.ts';
import { openTrash, type Trash } from '../trash/trash.ts';
import type { Secrets } from '../../../contracts/secrets.ts';
import type { SliceValues } from '../../../contracts/settings.ts';
import type { trashSettings } from '../trash/settings.ts';
import type { checkpointSettings } from './settings.ts';

export type UndoSettings = SliceValues<typeof checkpointSettings> & SliceValues<typeof trashSettings>;
export interface LazyUndoOptions {
  readonly home: Home;
  readonly settings: UndoSettings;
  /** Where commands run. */
  readonly kind: string;
  readonly secrets?: Pick<Secrets, 'mask'>;
}

const MB = 1_048_576;
const DAY_MS = 86_400_000;
/** A folder that takes longer to read is not kept as a whole: a call must not wait for it. */
const PATIENCE_MS = 5_000;
/** Files of the profile that must never be put back under a running program. */
const OWN = ['sessions.db', 'sessions.db-wal', 'sessions.db-shm', 'state.db', 'state.db-wal', 'state.db-shm', 'checkpoints', 'trash'];

export function undoFor({ home, settings, kind, secrets }: LazyUndoOptions): UndoRecorder {
  return createUndo({
    store: openCheckpointStore(home, settings),
    kind,
    bounds: boundsOf(home, settings),
    context: createCheckpointContext(home),
    ...(secrets !== undefined && { mask: (text: string) => secrets.mask(text) }),
  });
}

export function createCheckpointContext(home: Home): CheckpointContext {
  const profile = resolveFromNearestParent(home.root);
  return { home: resolveFromNearestParent(homedir()), profile, own: OWN.map((name) => join(profile, name)) };
}

export const openCheckpointStore = (home: Home, settings: UndoSettings): Checkpoints =>
  openCheckpoints(join(home.root, 'checkpoints'), {
    maxTurns: settings['checkpoints.max_snapshots'],
    maxBytes: settings['checkpoints.max_total_size_mb'] * MB,
    keepMs: settings['checkpoints.retention_days'] * DAY_MS,
  });

const boundsOf = (home: Home, settings: UndoSettings): SnapshotBounds => ({
  maxFiles: settings['checkpoints.max_files'],
  maxFileBytes: settings['checkpoints.max_file_size_mb'] * MB,
  maxBytes: settings['checkpoints.max_total_size_mb'] * MB,
  apart: [resolveFromNearestParent(home.root)],
  patienceMs: PATIENCE_MS,
});

/** What a rollback needs: the store, its bounds, and the trash for what it takes away. */
export const createRollbackOptions = (home: Home, settings: UndoSettings): RollbackOptions => ({
  store: openCheckpointStore(home, settings),
  bounds: { ...boundsOf(home, settings), patienceMs: Infinity },
  discard: async (path) => void (await openHomeTrash(home, settings).put(path, 'rollback')),
});

export const openHomeTrash = (home: Home, settings: UndoSettings): Trash =>
  openTrash(join(home.root, 'trash'), {
    keepMs: settings['trash.retention_days'] * DAY_MS,
    maxBytes: settings['trash.max_size_mb'] * MB,
  });
