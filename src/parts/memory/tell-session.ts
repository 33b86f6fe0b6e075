import type { MemoryCursorStore, TakenMemoryCursor } from '../../contracts/memory-cursors.ts';
import type { MemoryProvider } from '../../contracts/memory-provider.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { collectTurns } from './turns.ts';

export interface SessionTelling {
  readonly provider: MemoryProvider;
  readonly cursors: Pick<MemoryCursorStore, 'move'>;
  readonly log: Pick<SessionStore, 'entries'>;
  /** Runs one call of the provider with a deadline. */
  readonly tell: (work: (signal: AbortSignal) => Promise<void> | undefined) => Promise<void>;
}

/** Turns of one session that are told before others have their turn. */
const MAX_TURNS = 20;
/** Turns an end is told with. */
const MAX_END_TURNS = 200;

/**
 * Tells a provider what it was not told of a session yet: its turns, then its end. Each step is kept before the next begins, so
 * that a kill repeats one at most. Throws what the provider throws.
 */
export async function tellSession(taken: TakenMemoryCursor, { provider, cursors, log, tell }: SessionTelling): Promise<void> {
  const { subject, scope, told, endSeq, ended } = taken;
  if (scope === undefined) return;
  const entries = await log.entries(subject);
  const last = entries.at(-1)?.seq ?? 0;
  const turns = collectTurns(entries, told, scope);
  for (const { seq, turn } of turns.slice(0, MAX_TURNS)) {
    await tell((signal) => provider.syncTurn?.(turn, signal));
    await cursors.move(taken, { told: seq, seen: seq });
  }
  if (turns.length > MAX_TURNS) return;
  const position = { told: turns.at(-1)?.seq ?? told, seen: last };
  if (ended === undefined) return cursors.move(taken, position);
  const over = collectTurns(entries, endSeq, scope).map(({ turn }) => turn);
  const end = { ...scope, key: `${subject}/end/${ended.at}`, reason: ended.reason, turns: over.slice(-MAX_END_TURNS) };
  if (over.length > 0) await tell((signal) => provider.sessionEnd?.(end, signal));
  return cursors.move(taken, { ...position, end: { at: ended.at, seq: last } });
}
