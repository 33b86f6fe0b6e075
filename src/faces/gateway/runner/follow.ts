import { toErrorMessage } from '../../../base/errors.ts';
import type { SessionStore } from '../../../contracts/session-store.ts';
import type { Conversations } from '../chats/conversations.ts';
import type { GatewayOptions } from './contract.ts';
import type { GatewayCore } from './core.ts';
import type { GatewayLoops } from './traffic.ts';

const FOLLOW_AGAIN_MS = 1_000;

/** Hears, until it is closed, what else brings work: other processes at the same store, and what ran in the background. */
export function startFollowing(options: GatewayOptions, core: GatewayCore, loops: GatewayLoops): AsyncDisposable {
  const stop = new AbortController();
  const following = Promise.all([
    keepFollowing(() => followChanges(options, core, loops, stop.signal), options, stop.signal),
    keepFollowing(() => followPosts(options, core, stop.signal), options, stop.signal),
  ]);
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await following;
    },
  };
}

/** A store that gives an error for a moment is listened to again. */
async function keepFollowing(follow: () => Promise<void>, { clock, log }: GatewayOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await follow().catch((error: unknown) => log(`the store gave an error, and is listened to again: ${toErrorMessage(error)}`));
    await clock.sleep(FOLLOW_AGAIN_MS, signal);
  }
}

async function followChanges(
  { host: { store } }: GatewayOptions,
  { hookEvents }: GatewayCore,
  { arrivals, deliveries }: GatewayLoops,
  signal: AbortSignal,
): Promise<void> {
  for await (const change of store.changes(signal)) {
    if (change.type === 'ended') {
      const [route] = await store.gateway.routes({ sessionId: change.sessionId, limit: 1 });
      hookEvents.ended(change.sessionId, change.reason, route);
    }
    if (change.type === 'any' || (change.type === 'work' && change.kind === 'arrival')) arrivals.hint();
    if (change.type === 'any' || (change.type === 'work' && change.kind === 'delivery')) deliveries.hint();
  }
}

/** A process in the background has ended, or an answer came late: its session goes on. */
async function followPosts({ host }: GatewayOptions, { conversations }: GatewayCore, signal: AbortSignal): Promise<void> {
  for await (const { sessionId } of host.posted(signal))
    if (conversations.isBusy(sessionId) || (await isOurs(host.store, sessionId))) conversations.wake(sessionId);
}

/** What was cut off, and what waits since before this start. */
export async function wakePending({ store }: GatewayOptions['host'], { conversations }: GatewayCore): Promise<void> {
  for (const { session } of await store.pending()) if (await isOurs(store, session.id)) conversations.wake(session.id);
}

/** Messages that wait though nobody is at work on them here: whoever should have told of them did not. */
export async function wakeForgotten(store: SessionStore, { wake, isBusy }: Pick<Conversations, 'wake' | 'isBusy'>): Promise<void> {
  for (const { session, waiting } of await store.pending())
    if (waiting > 0 && !isBusy(session.id) && (await isOurs(store, session.id))) wake(session.id);
}

/** A chat's session, or one that was begun here: in the background, at the start, or for a chat that has gone on with another since. */
async function isOurs(store: SessionStore, sessionId: string): Promise<boolean> {
  if ((await store.gateway.routes({ sessionId, limit: 1 })).length > 0) return true;
  return (await store.find(sessionId)).some(({ id, source }) => id === sessionId && OWN_SOURCES.has(source));
}
/** What sessions of a gateway say who opened them. */
const OWN_SOURCES: ReadonlySet<string> = new Set(['gateway', 'background', 'hook']);
