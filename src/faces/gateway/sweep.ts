import { toErrorMessage } from '../../base/errors.ts';
import type { Blobs } from '../../contracts/blobs.ts';
import type { GatewayStore, Route } from '../../contracts/gateway-store.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { WriteLog } from './contract.ts';
import type { Conversations } from './conversations.ts';
import { flushDue, isExpired, type ResetPolicy } from './reset.ts';

export interface SweepDeps {
  readonly store: SessionStore;
  readonly conversations: Conversations;
  readonly policyOf: (route: Route) => ResetPolicy;
  readonly timeZone: string | undefined;
  readonly now: () => number;
  readonly log: WriteLog;
}

/** Chats that nobody wrote to for less than this are left alone. */
const IDLE_MS = 5 * 60_000;
const FLUSHED = 'flushedAt';

/**
 * Ends the sessions that nobody writes to any more. What is worth remembering is written down a while before, while the session
 * is still open; a message that comes meanwhile wins, and the session goes on.
 */
export async function sweepChats(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  for (const route of await deps.store.gateway.routes({ idleForMs: IDLE_MS })) {
    if (signal.aborted) return;
    if (route.sessionId === undefined || deps.conversations.isBusy(route.sessionId)) continue;
    await sweepChat(route, route.sessionId, deps, signal).catch((error: unknown) =>
      deps.log(`session ${route.sessionId} could not be ended, and is tried again: ${toErrorMessage(error)}`),
    );
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
  const handle = await conversations.open(session);
  if (!expired) {
    if (await handle.flush(signal)) await store.gateway.remember(route.key, { [FLUSHED]: now() });
    return;
  }
  // Somebody wrote, or the session is in use elsewhere: the next round looks again.
  if (!(await handle.end('expired', signal))) return;
  await store.gateway.reroute(route.key, sessionId, null);
  // What came in between is answered in the session it came to.
  if (conversations.isBusy(sessionId) || (await store.waiting(sessionId)).length > 0) return conversations.wake(sessionId);
  await conversations.close(sessionId);
}
