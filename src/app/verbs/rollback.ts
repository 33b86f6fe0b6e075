import { resolve } from 'node:path';
import { byId } from '../../base/by-id.ts';
import { messageOf, UsageError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { nearestReal } from '../../base/real-path.ts';
import { visibleLine } from '../../base/visible.ts';
import { nudge, SILENCE } from '../../agent/nudge.ts';
import { text } from '../../contracts/message.ts';
import type { Session, SessionStore } from '../../contracts/session-store.ts';
import type { JsonFlag } from '../../faces/cli/verbs.ts';
import { renderRollback, type Ways } from '../../faces/cli/rollback.ts';
import { checkpointsOf, type CheckpointFilter } from '../../parts/safety/checkpoints/history.ts';
import type { KeptState, CheckpointRecord as KeptRecord } from '../../parts/safety/checkpoints/model.ts';
import { peek } from '../../parts/safety/checkpoints/peek.ts';
import {
  isTouched,
  planRollback,
  rollBack,
  type RollbackAsk,
  type RollbackOptions,
  type ChangedSince,
} from '../../parts/safety/checkpoints/rollback.ts';
import { unifiedDiff } from '../../parts/tools/builtin/patch/unified.ts';
import type { Blobs } from '../../parts/safety/checkpoints/blobs.ts';
import type { CheckpointGroup } from '../../parts/safety/checkpoints/retention.ts';
import { processScreen } from '../screen.ts';
import { processStreams } from '../streams.ts';
import { rollbackTools } from '../../parts/safety/checkpoints/open.ts';
import type { RollbackWish } from '../../parts/safety/checkpoints/lazy-undo.ts';
import type { AppHost } from '../host/host.ts';

/** `/rollback` in a chat: the checkpoints of its session and of its folder. */
export async function rollback(
  wish: RollbackWish,
  session: Session,
  workshop: Pick<AppHost, 'home' | 'config' | 'store'>,
  flags: JsonFlag,
): Promise<number> {
  const scope = { folder: nearestReal(session.cwd), sessionId: session.id };
  const say = (asking: readonly string[]): string => `/rollback ${asking.join(' ')}`;
  const place = { base: session.cwd, scope, sessionId: session.id, say };
  if (wish.action === 'restore' && wish.ref !== undefined) return restore(wish.ref, wish, place, workshop, flags);
  if (wish.action === 'diff' && wish.ref !== undefined) return diff(wish.ref, wish.file, place, workshop, flags);
  const { listIn } = await import('./checkpoints.ts');
  return listIn(scope, workshop, flags);
}

/** Where checkpoints are looked for, and from where a file is named. */
export interface Place {
  readonly base: string;
  readonly scope: CheckpointFilter;
  /** The session that asks; empty when the owner does so outside of one. */
  readonly sessionId: string;
  /** The words that ask for a rollback from here: a checkpoint, a file, `--all`. */
  say(words: readonly string[]): string;
}
type Desk = Pick<AppHost, 'home' | 'config' | 'store'>;

export async function restore(ref: string, wish: Omit<RollbackWish, 'action'>, place: Place, desk: Desk, flags: JsonFlag): Promise<number> {
  const options = rollbackTools(desk.home, desk.config.settings);
  const records = options.store.records();
  const ask = { ...asked(ref, wish.file, place, records), ...(wish.all === true && { all: true }) };
  const sessions = new Set((await planned(ask, { ref, file: wish.file }, options)).flatMap((each) => each.sessions));
  const fates = await rollBack(ask, options).catch((error: unknown) => messageOf(error));
  if (typeof fates === 'string') {
    processStreams().err(`hermes: nothing was rolled back, because what is there now could not be kept first: ${printable(fates)}\n`);
    return 1;
  }
  const screen = processScreen();
  if (flags.json === true) screen.json(fates);
  else screen.out(renderRollback(fates, waysOn(ask, wish.file, place, newIn(options.store.records(), records)), screen));
  const changed = fates.filter(({ fate }) => fate === 'restored' || fate === 'removed');
  if (changed.length > 0) for (const id of new Set([place.sessionId, ...sessions])) await tell(desk.store, id, words(changed));
  return fates.some(({ fate }) => fate !== 'restored' && fate !== 'removed') ? 1 : 0;
}

/** By ids: the rollback itself is a checkpoint, so that every number means another one now. */
const waysOn = ({ since }: RollbackAsk, file: string | undefined, { say }: Place, made: string | undefined): Ways => ({
  all: say([since.head.id, ...(file === undefined ? [] : [file]), '--all']),
  ...(made !== undefined && { undo: say([made]) }),
});

/** The checkpoint the rollback made of what was there. */
function newIn(now: readonly KeptRecord[], before: readonly KeptRecord[]): string | undefined {
  const known = new Set(before.map(({ id }) => id));
  return checkpointsOf(now, {}).find(({ head }) => head.tool === 'rollback' && !known.has(head.id))?.head.id;
}

export async function diff(ref: string, file: string | undefined, place: Place, desk: Desk, flags: JsonFlag): Promise<number> {
  const options = rollbackTools(desk.home, desk.config.settings);
  const wanted = await planned(asked(ref, file, place, options.store.records()), { ref, file }, options);
  const rows = [];
  for (const each of wanted) {
    // The present bytes are needed, too, and the store is where bytes are read from.
    await peek(each.root, each.path, options.bounds.maxFileBytes, options.store.blobs);
    rows.push({ path: each.full, conflict: each.conflict ?? null, diff: diffOf(each, options.store.blobs) });
  }
  const screen = processScreen();
  if (flags.json === true) screen.json(rows);
  else
    screen.out(
      rows.length === 0 ? 'No difference: the files are as they were then.\n' : `${rows.map((row) => printable(row.diff)).join('\n')}\n`,
    );
  return 0;
}

interface Named {
  readonly ref: string;
  readonly file: string | undefined;
}

/** A file no checkpoint knows is sooner mistyped than as it was. */
async function planned(ask: RollbackAsk, { ref, file }: Named, options: RollbackOptions): Promise<ChangedSince[]> {
  const wanted = await planRollback(ask, options);
  if (file !== undefined && wanted.length === 0 && !(await isTouched(ask, options)))
    throw new UsageError(
      `no checkpoint since ${visibleLine(ref)} touched ${visibleLine(file)}; hermes checkpoints show ${ask.since.head.id} names the files of that one.`,
    );
  return wanted;
}

function diffOf({ full, present, target }: ChangedSince, blobs: Blobs): string {
  const [old, now] = [textOf(present, blobs), textOf(target, blobs)];
  const name = full.slice(1);
  if (typeof old === 'object' || typeof now === 'object')
    return `--- a/${name}\n+++ b/${name}\n${spoken(present)} becomes ${spoken(target)}`;
  return unifiedDiff({ old: name, new: name }, old, now);
}

/** `null` for what has no lines to compare. */
function textOf(kept: KeptState, blobs: Blobs): string | undefined | null {
  if (kept.is === 'absent') return undefined;
  if (kept.is !== 'file') return null;
  const bytes = blobs.read(kept.hash);
  return bytes.includes(0) ? null : bytes.toString('utf8');
}
const spoken = (kept: KeptState): string =>
  ({ absent: 'nothing', file: 'a file', link: 'a link', folder: 'a folder', too_large: 'a file that is too large to be kept' })[kept.is];

function asked(ref: string, file: string | undefined, { base, scope, sessionId }: Place, records: readonly KeptRecord[]): RollbackAsk {
  const groups = checkpointsOf(records, scope);
  const since = oneOf(groups, ref);
  if (file === '') throw new UsageError('the name of the file is empty; leave it out to mean all files.');
  return { groups, since, sessionId, ...(file !== undefined && { only: nearestReal(resolve(base, file)) }) };
}

export const isNumber = (ref: string): boolean => /^\d{1,4}$/.test(ref);

/** By number, newest first from 1, or by an id or the beginning of one. */
export function oneOf(groups: readonly CheckpointGroup[], ref: string): CheckpointGroup {
  if (groups.length > 0 && !isNumber(ref)) return byId(ref, groups, ({ head }) => [head.id], { what: 'checkpoint', shownBy: SHOWN_BY });
  const found = groups[Number(ref) - 1];
  if (found !== undefined) return found;
  const there = groups.length === 0 ? 'there is none here' : `there are 1 to ${groups.length}`;
  throw new UsageError(`there is no checkpoint ${visibleLine(ref)}: ${there}; ${SHOWN_BY} shows them.`);
}
const SHOWN_BY = '/rollback or hermes checkpoints list';

const MOST_PATHS = 40;
function words(changed: readonly { readonly path: string; readonly fate: string }[]): string {
  const named = changed.slice(0, MOST_PATHS).map(({ path, fate }) => `- ${path} (${fate === 'removed' ? 'removed' : 'restored'})`);
  const more = changed.length > MOST_PATHS ? [`- and ${changed.length - MOST_PATHS} more`] : [];
  return [
    'I rolled back changes you made to files. They are again as they were before:',
    ...named,
    ...more,
    'Read them anew before you rely on what is in them, and do not repeat the changes unless I ask.',
  ].join('\n');
}

/**
 * The session hears of it with its next message: words and silence after its last answer, where no request has gone yet.
 * One that is busy or was cut off gets them as a text for its running turn.
 */
export async function tell(store: SessionStore, sessionId: string, news: string): Promise<void> {
  const [session] = sessionId === '' ? [] : await store.find(sessionId);
  if (session === undefined || session.id !== sessionId) return;
  if (!(await noted(store, sessionId, news))) await store.post({ sessionId, content: [text(news, 'owner')], mode: 'steer' });
}

async function noted(store: SessionStore, sessionId: string, news: string): Promise<boolean> {
  const claim = await store.claim(sessionId).catch(() => undefined);
  if (claim === undefined) return false;
  try {
    if ((await store.turn(sessionId)) !== undefined) return false;
    await store.commit(claim, { append: [...nudge(await store.entries(sessionId), news), SILENCE] });
    return true;
  } finally {
    await store.release(claim);
  }
}
