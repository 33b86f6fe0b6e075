import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Home } from '../base/home.ts';
import type { Secrets } from '../contracts/secrets.ts';
import type { Undo } from '../contracts/undo.ts';
import type { RollbackOptions } from '../parts/safety/checkpoints/rollback.ts';
import type { SnapshotBounds } from '../parts/safety/checkpoints/snapshot.ts';
import type { Checkpoints } from '../parts/safety/checkpoints/store.ts';
import type { Trash } from '../parts/safety/trash/trash.ts';
import type { Settings } from './settings.ts';

const MB = 1_048_576;
const DAY_MS = 86_400_000;
/** A folder that takes longer to read is not kept as a whole: a call must not wait for it. */
const PATIENCE_MS = 5_000;

interface UndoQuestion {
  readonly home: Home;
  readonly settings: Settings;
  /** Where commands run. */
  readonly kind: string;
  readonly secrets?: Pick<Secrets, 'redact'>;
}

/** Checkpoints around calls, loaded with the first one: many turns change nothing. */
export function openUndo(question: UndoQuestion): Undo | undefined {
  if (!question.settings['checkpoints.enabled']) return undefined;
  let opened: Promise<Undo> | undefined;
  const undo = (): Promise<Undo> => (opened ??= make(question));
  return {
    before: async (call, turnId) => (await undo()).before(call, turnId),
    after: async (call, turnId) => (await undo()).after(call, turnId),
  };
}

async function make({ home, settings, kind, secrets }: UndoQuestion): Promise<Undo> {
  const [{ createUndo }, { mutates }, { real }] = await Promise.all([
    import('../parts/safety/checkpoints/undo.ts'),
    import('../parts/safety/checkpoints/commands.ts'),
    import('../parts/safety/checkpoints/asks.ts'),
  ]);
  const profile = real(home.root);
  const own = ['state.db', 'state.db-wal', 'state.db-shm', 'checkpoints', 'trash'].map((name) => join(profile, name));
  return createUndo({
    store: await openCheckpointStore(home, settings),
    kind,
    mutates,
    bounds: boundsOf(home, settings),
    ground: { home: real(homedir()), profile, own },
    ...(secrets !== undefined && { mask: (text: string) => secrets.redact(text) }),
  });
}

export async function openCheckpointStore(home: Home, settings: Settings): Promise<Checkpoints> {
  const { openCheckpoints } = await import('../parts/safety/checkpoints/store.ts');
  return openCheckpoints(join(home.root, 'checkpoints'), {
    maxTurns: settings['checkpoints.max_snapshots'],
    maxBytes: settings['checkpoints.max_total_size_mb'] * MB,
    keepMs: settings['checkpoints.retention_days'] * DAY_MS,
  });
}

const boundsOf = (home: Home, settings: Settings): SnapshotBounds => ({
  maxFiles: settings['checkpoints.max_files'],
  maxFileBytes: settings['checkpoints.max_file_size_mb'] * MB,
  maxBytes: settings['checkpoints.max_total_size_mb'] * MB,
  apart: [home.root],
  patienceMs: PATIENCE_MS,
});

/** What a rollback needs: the store, its bounds, and the trash for what it takes away. */
export async function openRollback(home: Home, settings: Settings): Promise<RollbackOptions> {
  const trash = await openTrashOf(home, settings);
  return {
    store: await openCheckpointStore(home, settings),
    bounds: { ...boundsOf(home, settings), patienceMs: Infinity },
    discard: async (path) => void (await trash.put(path, 'rollback')),
  };
}

export async function openTrashOf(home: Home, settings: Settings): Promise<Trash> {
  const { openTrash } = await import('../parts/safety/trash/trash.ts');
  return openTrash(join(home.root, 'trash'), {
    keepMs: settings['trash.retention_days'] * DAY_MS,
    maxBytes: settings['trash.max_size_mb'] * MB,
  });
}

/** Terminals whose files are this machine's own: elsewhere a file cannot be moved into the trash here. */
const NEAR: ReadonlySet<string> = new Set(['local', 'sandbox']);

/** How tools take a file away; `undefined` where there is no trash for it. */
export const removeToTrash = (home: Home, settings: Settings, kind: string): ((path: string) => Promise<void>) | undefined =>
  NEAR.has(kind) ? async (path) => void (await (await openTrashOf(home, settings)).put(path, 'patch')) : undefined;

/** What `/rollback` in a chat asks for. */
export interface RollbackWish {
  readonly action: 'list' | 'diff' | 'restore';
  /** A number of the list, or the beginning of an id. */
  readonly ref?: string;
  readonly file?: string;
  readonly all?: boolean;
}

/** `/rollback`, `/rollback N [FILE] [--all]`, `/rollback diff N`. A wish that cannot be read lists what there is. */
export function asRollback(words: string | undefined): RollbackWish | undefined {
  const found = /^\s*\/rollback(?:\s+(.*\S))?\s*$/s.exec(words ?? '');
  if (found === null) return undefined;
  const given = (found[1] ?? '').split(/\s+/).filter((word) => word !== '');
  const all = given.includes('--all');
  const [first, second, ...more] = given.filter((word) => word !== '--all');
  if (first === undefined || first === 'list') return { action: 'list' };
  if (first === 'diff') return second === undefined ? { action: 'list' } : { action: 'diff', ref: second, ...fileOf(more) };
  return { action: 'restore', ref: first, ...fileOf(second === undefined ? [] : [second, ...more]), ...(all && { all }) };
}
const fileOf = (words: readonly string[]): { readonly file?: string } => (words.length === 0 ? {} : { file: words.join(' ') });
