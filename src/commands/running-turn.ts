import { setTimeout as sleep } from 'node:timers/promises';
import { isStoreError, type Claim, type SessionStore } from '../contracts/session-store.ts';

/** How long a turn may take to end, and how often it is looked at meanwhile. */
const MAX_STOP_MS = 5_000;
const LOOK_MS = 50;

type IdleCheckStore = Pick<SessionStore, 'claim' | 'release'>;

/** Whether a turn of a session is running, in whatever process. */
export async function isTurnRunning(store: IdleCheckStore, sessionId: string): Promise<boolean> {
  const claim = await claimIfIdle(store, sessionId);
  if (claim !== undefined) await store.release(claim);
  return claim === undefined;
}

/** `idle`: there was none. `asked`: it was told to stop and has not ended yet. */
export type StopResult = 'idle' | 'stopped' | 'asked';

/** Stops the turn of a session, in whatever process it runs, by an interrupt without words, which opens no turn of its own. */
export async function stopRunningTurn(store: SessionStore, sessionId: string): Promise<StopResult> {
  if (!(await isTurnRunning(store, sessionId))) return 'idle';
  const { id } = await store.post({ sessionId, mode: 'interrupt', content: [] });
  for (let waited = 0; waited < MAX_STOP_MS; waited += LOOK_MS) {
    await sleep(LOOK_MS);
    const claim = await claimIfIdle(store, sessionId);
    if (claim === undefined) continue;
    const waits = (await store.waiting(sessionId)).some((item) => item.id === id);
    if (waits) await store.commit(claim, { fates: [{ id, fate: 'command' }] });
    await store.release(claim);
    return 'stopped';
  }
  return 'asked';
}

async function claimIfIdle(store: IdleCheckStore, sessionId: string): Promise<Claim | undefined> {
  try {
    return await store.claim(sessionId);
  } catch (error) {
    if (isStoreError(error, 'busy')) return undefined;
    throw error;
  }
}
