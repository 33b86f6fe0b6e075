import { toErrorMessage } from '../base/errors.ts';
import type { AgentEvent } from '../contracts/event.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { EndReason } from '../contracts/session-store.ts';
import { flushMemory, nudgeMemory, type FlushDeps, type FlushStop } from './flush-memory.ts';
import type { Journal } from './journal.ts';
import { FLUSH, NUDGE } from './words.ts';

/** Flushes the memory, then ends the session. Trouble with the first never keeps the second from being done; a new message does. */
export async function* endSession(deps: FlushDeps, route: Runtime, reason: EndReason): AsyncGenerator<AgentEvent, boolean> {
  const { journal, signal } = deps;
  const { store, sessionId } = journal;
  const [session] = await store.find(sessionId);
  const waiting = await store.waiting(sessionId);
  if (session?.endedAt === undefined) yield* told(flushMemory(deps, route, reason));
  const isWrittenTo = signal.reason === ('message' satisfies FlushStop) || (await store.waiting(sessionId)).length > waiting.length;
  if (isWrittenTo) return false;
  await journal.commit({ end: reason });
  return true;
}

/** Flushes the memory of a session that nobody uses, ahead of its end. Gives whether nothing came in between. */
export async function* flushAhead(deps: FlushDeps, route: Runtime): AsyncGenerator<AgentEvent, boolean> {
  yield* told(flushMemory(deps, route, 'expired', { goesOn: true }));
  return deps.signal.reason !== ('message' satisfies FlushStop);
}

/** Asks what to remember of a session in use, while nobody writes. */
export async function* nudgeBetween(deps: FlushDeps, route: Runtime): AsyncGenerator<AgentEvent, void> {
  yield* told(nudgeMemory(deps, route), NUDGE);
}

/** An end that a kill cut off while the model was asked is made up for: that was its last entry. */
export async function finishEnd({ store, sessionId, log, commit }: Journal): Promise<void> {
  const last = log.at(-1);
  if (last?.type !== 'note' || last.flush === undefined || last.goesOn === true) return;
  const [session] = await store.find(sessionId);
  if (session?.endedAt === undefined) await commit({ end: last.flush });
}

/** The same events; what is thrown becomes the last of them. */
async function* told(events: AsyncGenerator<AgentEvent, void>, words = FLUSH): AsyncGenerator<AgentEvent, void> {
  try {
    yield* events;
  } catch (error) {
    yield { type: 'notice', text: words.failed(toErrorMessage(error)) };
  }
}
