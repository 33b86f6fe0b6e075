import { toErrorMessage } from '../../../base/errors.ts';
import { runWithTimeout } from '../../../base/waits.ts';
import type { Blobs } from '../../../contracts/blobs.ts';
import type { GatewayStore, Route } from '../../../contracts/gateway-store.ts';
import type { Session, SessionStore } from '../../../contracts/session-store.ts';
import type { WriteLog } from '../contract.ts';
import type { Conversations } from './conversations.ts';
import { flushDue, isExpired, type ResetPolicy } from './reset.ts';

/** When sessions are over, by the settings as they are now. */
export interface ResetRules {
  readonly policyOf: (route: Route) => ResetPolicy;
  readonly timeZone: string | undefined;
}
export interface SweepDeps extends ResetRules {
  readonly store: SessionStore;
  readonly conversations: Conversations;
  readonly now: () => number;
  readonly log: WriteLog;
}

/** Chats that nobody wrote to for less than this are left alone. */
const IDLE_MS = 5 * 60_000;
const FLUSHED = 'flushedAt';

/** Chats at once: after a night every one of them may have something to remember, and the lead of a flush must be enough for all. */
const MAX_AT_ONCE = 8;
/** Longer than the model is asked; something hangs. */
const CHAT_MS = 120_000;

/**
 * Ends the sessions that nobody writes to any more. What is worth remembering is written down a while before, while the session
 * is still open; a message that comes meanwhile wins, and the session goes on.
 */
export async function sweepChats(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const idle = listIdle(deps.store.gateway);
  const work = async (): Promise<void> => {
    for await (const { sessionId, ...route } of idle) {
      if (signal.aborted) return;
      if (sessionId === undefined || deps.conversations.isUsed(sessionId)) continue;
      await sweepInTime(route, sessionId, deps, signal);
    }
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
}

async function sweepInTime(route: Route, sessionId: string, deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const sweep = (late: AbortSignal) => sweepChat(route, sessionId, deps, AbortSignal.any([signal, late]));
  await runWithTimeout(sweep, CHAT_MS, new Error('it took too long')).catch((error: unknown) =>
    deps.log(`session ${sessionId} could not be ended, and is tried again: ${toErrorMessage(error)}`),
  );
}

const PAGE = 200;
/** However many there are, a page of them is in memory. */
async function* listIdle(store: Pick<GatewayStore, 'routes'>): AsyncGenerator<Route> {
  for (let last: Route | undefined; ;) {
    const page = await store.routes({ idleForMs: IDLE_MS, limit: PAGE, ...(last !== undefined && { after: last }) });
    yield* page;
    last = page.at(-1);
    if (page.length < PAGE) return;
  }
}

/** Bytes that nobody named for so long go, unless something is still to be sent of them. */
const BLOB_MS = 86_400_000;

export async function sweepBlobs(store: Pick<GatewayStore, 'deliveries'>, blobs: Pick<Blobs, 'sweep'>): Promise<void> {
  const pending = await store.deliveries({ states: ['pending'] });
  const named = new Set(pending.flatMap(({ content }) => (content.type === 'media' ? [content.blob] : [])));
  await blobs.sweep(BLOB_MS, (hash) => named.has(hash));
}

async function sweepChat(route: Route, sessionId: string, deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const { store, conversations, timeZone, now } = deps;
  const policy = deps.policyOf(route);
  const flushedAt = route.facts[FLUSHED];
  const times = { lastUsedAt: route.usedAt, ...(typeof flushedAt === 'number' && { flushedAt }) };
  const expired = isExpired(route.usedAt, now(), policy, timeZone);
  if (!expired && !flushDue(times, now(), policy, timeZone)) return;
  const session = (await store.find(sessionId)).find(({ id }) => id === sessionId);
  if (session === undefined) return void (await store.gateway.reroute(route.key, sessionId, null));
  // Somebody wrote since the routes were read, or from elsewhere: that goes first.
  if ((await store.waiting(sessionId)).length > 0) return conversations.wake(sessionId);
  if ((await store.gateway.route(route.key))?.usedAt !== route.usedAt) return;
  if (!expired) {
    const handle = await conversations.open(session);
    if (await handle.flush(signal)) await store.gateway.remember(route.key, { [FLUSHED]: now() });
    return;
  }
  await endExpired(route.key, session, deps, signal);
}

/** Gives whether the session has ended. It has not when somebody wrote, or uses it elsewhere: that goes first. */
async function endExpired(
  routeKey: string,
  session: Session,
  { store, conversations }: Pick<SweepDeps, 'store' | 'conversations'>,
  signal: AbortSignal,
): Promise<boolean> {
  const handle = await conversations.open(session);
  if (!(await handle.end('expired', signal))) return false;
  await store.gateway.reroute(routeKey, session.id, null);
  // What came in between is answered in the session it came to.
  if (conversations.isBusy(session.id) || (await store.waiting(session.id)).length > 0) conversations.wake(session.id);
  else await conversations.retire(session.id);
  return true;
}

export interface EndBeforeMessageDeps extends SweepDeps {
  /** Does what may take long. */
  readonly slowly: <Value>(work: () => Promise<Value>) => Promise<Value>;
}
/**
 * A message has come to this chat: a session that is over by now, and that no sweep has ended yet, ends before it joins. Gives
 * whether it did. One that cannot be ended goes on: the message matters more.
 */
export async function endBeforeMessage(route: Route, session: Session, deps: EndBeforeMessageDeps, signal: AbortSignal): Promise<boolean> {
  const { store, conversations } = deps;
  if (!isExpired(route.usedAt, deps.now(), deps.policyOf(route), deps.timeZone)) return false;
  if (conversations.isUsed(session.id) || (await store.waiting(session.id)).length > 0) return false;
  return deps
    .slowly(() => endExpired(route.key, session, deps, signal))
    .catch((error: unknown) => {
      deps.log(`session ${session.id} could not be ended, so it goes on: ${toErrorMessage(error)}`);
      return false;
    });
}
