/** What a session has seen of files, so that it is not told the same twice and hears when a file changed behind its back. */
export interface FileMemory {
  /** Counts a request for a range: how often it was asked for since it was shown, the file being as it was; 0 when it must be shown. */
  repeats(sessionId: string, path: string, range: string, stamp: string): number;
  /** This range was shown to the session. */
  showed(sessionId: string, path: string, range: string, stamp: string): void;
  /** The session knows the file as it is now: it read or wrote it. */
  know(sessionId: string, path: string, stamp: string): void;
  /** Changed by somebody else since the session last knew it. */
  changed(sessionId: string, path: string, stamp: string): boolean;
  /** The session's view lost what was shown (compaction): everything may be shown again. */
  forget(sessionId: string): void;
}

/** Oldest facts are dropped beyond this many; forgetting one only costs a full read. */
const MAX_FACTS = 5_000;

export function fileMemory(): FileMemory {
  const shown = new Map<string, { readonly stamp: string; readonly times: number }>();
  const known = new Map<string, string>();
  const key = (...parts: readonly string[]) => parts.join('\0');
  return {
    repeats: (sessionId, path, range, stamp) => {
      const id = key(sessionId, path, range);
      const before = shown.get(id);
      if (before?.stamp !== stamp) return 0;
      keep(shown, id, { stamp, times: before.times + 1 });
      return before.times + 1;
    },
    showed: (sessionId, path, range, stamp) => keep(shown, key(sessionId, path, range), { stamp, times: 0 }),
    know: (sessionId, path, stamp) => keep(known, key(sessionId, path), stamp),
    changed: (sessionId, path, stamp) => (known.get(key(sessionId, path)) ?? stamp) !== stamp,
    forget: (sessionId) => {
      for (const id of shown.keys()) if (id.startsWith(`${sessionId}\0`)) shown.delete(id);
    },
  };
}

function keep<Value>(facts: Map<string, Value>, id: string, value: Value): void {
  facts.delete(id);
  facts.set(id, value);
  const oldest = facts.size > MAX_FACTS ? facts.keys().next().value : undefined;
  if (oldest !== undefined) facts.delete(oldest);
}
