import { sha256 } from '../../../../base/sha256.ts';
import type { ToolContext } from '../../../../contracts/tool.ts';

/** Whoever reads a result: the model of a session, or a script of its. What one of them saw the other has not seen. */
export type FileReader = Pick<ToolContext, 'sessionId' | 'forScript'>;

/** What a session has seen of files, so that it is not told the same twice and hears when a file changed behind its back. */
export interface FileMemory {
  /** Counts a request for a range: how often it was asked for since it was shown, the file being as it was; 0 when it must be shown. */
  repeats(sessionId: string, path: string, range: string, stamp: string): number;
  /** This range was shown to the session. */
  showed(sessionId: string, path: string, range: string, stamp: string): void;
  /** The reader knows the file as it is now. */
  read(reader: FileReader, path: string, stamp: string): void;
  /** The reader was shown all that this text would undo in the file as it is now: it knows the file, and the same text is no answer to that. */
  refused(reader: FileReader, path: string, stamp: string, text: string): void;
  /** Whether this very text was refused for the file as it is now, and the reader has not read the file since. */
  isRefused(reader: FileReader, path: string, stamp: string, text: string): boolean;
  /** The session made the file what it is now: its model and its scripts know it. */
  wrote(sessionId: string, path: string, stamp: string): void;
  /** Changed by somebody else since the reader last knew it; a script knows what the model knew until it reads for itself. */
  changed(reader: FileReader, path: string, stamp: string): boolean;
  /** The session's view lost what was shown (compaction): everything may be shown again. */
  forget(sessionId: string): void;
}

/** Oldest facts are dropped beyond this many; forgetting one only costs a full read. */
const MAX_FACTS = 5_000;

export function createFileMemory(): FileMemory {
  const shown = new Map<string, { readonly stamp: string; readonly times: number }>();
  const known = new Map<string, string>();
  const refusals = new Map<string, string>();
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
    read: (reader, path, stamp) => {
      keep(known, key(reader.sessionId, path, roleOf(reader)), stamp);
      refusals.delete(key(reader.sessionId, path, roleOf(reader)));
    },
    refused: (reader, path, stamp, text) => {
      keep(known, key(reader.sessionId, path, roleOf(reader)), stamp);
      keep(refusals, key(reader.sessionId, path, roleOf(reader)), key(stamp, sha256(text)));
    },
    isRefused: (reader, path, stamp, text) => refusals.get(key(reader.sessionId, path, roleOf(reader))) === key(stamp, sha256(text)),
    wrote: (sessionId, path, stamp) => {
      for (const role of ['model', 'script']) keep(known, key(sessionId, path, role), stamp);
    },
    changed: (reader, path, stamp) =>
      (known.get(key(reader.sessionId, path, roleOf(reader))) ?? known.get(key(reader.sessionId, path, 'model')) ?? stamp) !== stamp,
    forget: (sessionId) => {
      for (const id of shown.keys()) if (id.startsWith(`${sessionId}\0`)) shown.delete(id);
    },
  };
}

const roleOf = ({ forScript }: FileReader): string => (forScript === true ? 'script' : 'model');

function keep<Value>(facts: Map<string, Value>, id: string, value: Value): void {
  facts.delete(id);
  facts.set(id, value);
  const oldest = facts.size > MAX_FACTS ? facts.keys().next().value : undefined;
  if (oldest !== undefined) facts.delete(oldest);
}
