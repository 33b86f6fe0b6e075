import { createTextBlock } from '../../contracts/message.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { join } from 'node:path';
import { toErrorMessage } from '../../base/errors.ts';
import { resolveHome, type Home } from '../../base/home.ts';
import { createNudgeEntries, SILENCE } from '../../agent/nudge.ts';
import type {
  CheckpointFile,
  CheckpointLine,
  CheckpointService,
  RollbackDiff,
  RollbackOutcome,
  RollbackRequest,
  TrashService,
} from '../../contracts/services/undo.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { CheckpointBlobs } from '../../parts/safety/checkpoints/blobs.ts';
import { filterCheckpoints, type ChangedSince } from '../../parts/safety/checkpoints/history.ts';
import type { ChangedFile, CheckpointRecord, KeptState } from '../../parts/safety/checkpoints/model.ts';
import { capturePathState } from '../../parts/safety/checkpoints/peek.ts';
import type { CheckpointGroup } from '../../parts/safety/checkpoints/retention.ts';
import {
  isTouched,
  planRollback,
  rollBack,
  type RollbackSelection,
  type RollbackOptions,
} from '../../parts/safety/checkpoints/rollback.ts';
import { renderUnifiedDiff } from '../../parts/tools/builtin/patch/unified.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { openCheckpointStore, createRollbackOptions, openHomeTrash } from '../../parts/safety/checkpoints/open.ts';
import { loadConfig, type Config } from '../config/config.ts';

export async function createCheckpointService(options: ServiceOptions, store: () => Promise<SessionStore>): Promise<CheckpointService> {
  const { home, settings } = await open(options);
  const checkpoints = openCheckpointStore(home, settings);
  const rollback = createRollbackOptions(home, settings);
  return {
    list: (scope) => filterCheckpoints(checkpoints.records(), scope).map(lineOf),
    diff: async (request) => {
      const ask = askFor(request, rollback);
      const wanted = await planRollback(ask, rollback);
      const touched = wanted.length > 0 || (await isTouched(ask, rollback));
      return { touched, rows: await diffsOf(wanted, rollback) };
    },
    restore: (request) => restore(askFor(request, rollback), rollback),
    tell: async (sessionId, words) => tellSession(await store(), sessionId, words),
    prune: () => checkpoints.prune(),
    clear: () => checkpoints.clear(),
    status: () => ({
      enabled: settings['checkpoints.enabled'],
      folder: join(home.root, 'checkpoints'),
      ...checkpoints.status(),
      maxBytes: settings['checkpoints.max_total_size_mb'] * 1_048_576,
    }),
  };
}

async function open({
  processEnv,
  notice,
  registered,
}: ServiceOptions): Promise<{ readonly home: Home; readonly settings: Config['settings'] }> {
  const home = resolveHome(processEnv);
  const { settings } = await loadConfig(home.config, mergeEnvironment(home.env, processEnv), notice, registered);
  return { home, settings };
}

function askFor({ scope, checkpoint, ...request }: RollbackRequest, { store }: RollbackOptions): RollbackSelection {
  const groups = filterCheckpoints(store.records(), scope);
  const since = groups.find(({ head }) => head.id === checkpoint);
  if (since === undefined) throw new Error(`there is no checkpoint ${checkpoint} here`);
  return { groups, since, ...request };
}

async function restore(ask: RollbackSelection, options: RollbackOptions): Promise<RollbackOutcome> {
  const before = options.store.records();
  const wanted = await planRollback(ask, options);
  const touched = wanted.length > 0 || (await isTouched(ask, options));
  const sessions = [...new Set(wanted.flatMap((each) => each.sessions))];
  if (wanted.length === 0) return { ok: true, touched, files: [], sessions };
  try {
    const files = await rollBack(ask, options);
    const made = madeBy(options.store.records(), before);
    return { ok: true, touched, files, sessions, ...(made !== undefined && { made }) };
  } catch (error) {
    return { ok: false, why: toErrorMessage(error) };
  }
}

/** The checkpoint the rollback made of what was there. */
function madeBy(now: readonly CheckpointRecord[], before: readonly CheckpointRecord[]): string | undefined {
  const known = new Set(before.map(({ id }) => id));
  return filterCheckpoints(now, {}).find(({ head }) => head.tool === 'rollback' && !known.has(head.id))?.head.id;
}

async function diffsOf(wanted: readonly ChangedSince[], { store, bounds }: RollbackOptions): Promise<RollbackDiff[]> {
  const rows: RollbackDiff[] = [];
  for (const each of wanted) {
    // The present bytes are needed, too, and the store is where bytes are read from.
    await capturePathState(each.root, each.path, bounds.maxFileBytes, store.blobs);
    const { full, conflict } = each;
    rows.push({ path: full, ...(conflict !== undefined && { conflict }), diff: diffOf(each, store.blobs) });
  }
  return rows;
}

function diffOf({ full, present, target }: ChangedSince, blobs: CheckpointBlobs): string {
  const [old, now] = [textOf(present, blobs), textOf(target, blobs)];
  const name = full.slice(1);
  if (typeof old === 'object' || typeof now === 'object')
    return `--- a/${name}\n+++ b/${name}\n${describeState(present)} becomes ${describeState(target)}`;
  return renderUnifiedDiff({ old: name, new: name }, old, now);
}

/** `null` for what has no lines to compare. */
function textOf(kept: KeptState, blobs: CheckpointBlobs): string | undefined | null {
  if (kept.is === 'absent') return undefined;
  if (kept.is !== 'file') return null;
  const bytes = blobs.read(kept.hash);
  return bytes.includes(0) ? null : bytes.toString('utf8');
}
const describeState = (kept: KeptState): string =>
  ({ absent: 'nothing', file: 'a file', link: 'a link', folder: 'a folder', too_large: 'a file that is too large to be kept' })[kept.is];

const lineOf = ({ head, members }: CheckpointGroup, index: number): CheckpointLine => {
  const { id, at, tool, what, root, sessionId, turnId } = head;
  const changed = members.flatMap(({ root: under, left, files }) =>
    left === undefined
      ? files.map(({ path }): CheckpointFile => ({ path: join(under, path), change: 'unknown' }))
      : left.files.filter(isNoFolder).map((file): CheckpointFile => ({ path: join(under, file.path), change: changeOf(file) })),
  );
  const files = [...new Map(changed.map((file) => [file.path, file])).values()];
  return { number: index + 1, id, at, tool, what, root, sessionId, turnId, cutOff: members.some(({ left }) => left === undefined), files };
};
const isNoFolder = ({ before, after }: ChangedFile): boolean => before.is !== 'folder' && after.is !== 'folder';
const changeOf = ({ before, after }: ChangedFile): CheckpointFile['change'] =>
  before.is === 'absent' ? 'made' : after.is === 'absent' ? 'deleted' : 'changed';

/**
 * The session hears of it with its next message: words and silence after its last answer, where no request has gone yet.
 * One that is busy or was cut off gets them as a text for its running turn.
 */
export async function tellSession(store: SessionStore, sessionId: string, news: string): Promise<void> {
  const [session] = sessionId === '' ? [] : await store.find(sessionId);
  if (session === undefined || session.id !== sessionId) return;
  if (!(await noted(store, sessionId, news))) await store.post({ sessionId, content: [createTextBlock(news, 'owner')], mode: 'steer' });
}

async function noted(store: SessionStore, sessionId: string, news: string): Promise<boolean> {
  const claim = await store.claim(sessionId).catch(() => undefined);
  if (claim === undefined) return false;
  try {
    if ((await store.turn(sessionId)) !== undefined) return false;
    await store.commit(claim, { append: [...createNudgeEntries(await store.entries(sessionId), news), SILENCE] });
    return true;
  } finally {
    await store.release(claim);
  }
}

export async function createTrashService(options: ServiceOptions): Promise<TrashService> {
  const { home, settings } = await open(options);
  const trash = openHomeTrash(home, settings);
  return {
    list: async () => {
      await trash.prune();
      return trash.list();
    },
    restore: (id, to) => trash.restore(id, to),
    empty: () => trash.empty(),
  };
}
