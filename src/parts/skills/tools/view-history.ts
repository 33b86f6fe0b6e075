import { sha256 } from '../../../base/sha256.ts';
import { createLru } from '../catalog/lru.ts';

/** What a session has been shown, so that it is not told the same twice. */
export interface ViewHistory {
  /** Was exactly this shown already? Remembers it either way. */
  repeats(sessionId: string, what: string, text: string): boolean;
  forget(sessionId: string): void;
}

/** Sessions remembered; forgetting one only costs showing a text again. */
const MAX_SESSIONS = 64;

export function createViewHistory(): ViewHistory {
  const sessions = createLru<Map<string, string>>(MAX_SESSIONS);
  return {
    repeats: (sessionId, what, text) => {
      const seen = sessions.get(sessionId) ?? new Map<string, string>();
      const hash = sha256(text);
      const before = seen.get(what);
      seen.set(what, hash);
      sessions.set(sessionId, seen);
      return before === hash;
    },
    forget: (sessionId) => sessions.set(sessionId, new Map()),
  };
}
