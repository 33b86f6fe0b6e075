import type { Entry } from '../../../contracts/entry.ts';
import { createPassageIndex, type PassageIndex } from './passage-index.ts';

/** Sessions whose index is kept; the one unused for longest goes first and is built again when asked for. */
const MAX_SESSIONS = 4;

export type FindIndex = (sessionId: string, entries: readonly Entry[]) => PassageIndex;

/** The index of each session as its log stands, made once and carried on. */
export function createSessionIndexes(): FindIndex {
  const kept = new Map<string, PassageIndex>();
  return (sessionId, entries) => {
    const index = following(kept.get(sessionId), entries);
    kept.delete(sessionId);
    kept.set(sessionId, index);
    const [oldest] = kept.keys();
    if (kept.size > MAX_SESSIONS && oldest !== undefined) kept.delete(oldest);
    return index;
  };
}

function following(before: PassageIndex | undefined, entries: readonly Entry[]): PassageIndex {
  if (before?.follow(entries) === true) return before;
  const fresh = createPassageIndex();
  fresh.follow(entries);
  return fresh;
}
