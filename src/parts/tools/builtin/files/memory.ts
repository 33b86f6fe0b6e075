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
  /** The reader knows the file as it is now; its text is kept where it is not too long. */
  read(reader: FileReader, path: string, stamp: string, text?: string): void;
  /** The reader was shown all that this text would undo in the file as it is now: it knows the file, and the same text is no answer to that. */
  refused(reader: FileReader, path: string, stamp: string, text: string): void;
  /** Whether this very text was refused for the file as it is now, and the reader has not read the file since. */
  isRefused(reader: FileReader, path: string, stamp: string, text: string): boolean;
  /** This text was written in the form the file had, not plain; the same text once more means it as it is. */
  keptFormat(reader: FileReader, path: string, stamp: string, text: string): void;
  wasKept(reader: FileReader, path: string, stamp: string, text: string): boolean;
  /** The session made the file what it is now: its model and its scripts know it. */
  wrote(sessionId: string, path: string, stamp: string, text?: string): void;
  /** Changed by somebody else since the reader last knew it; a script knows what the model knew until it reads for itself. */
  changed(reader: FileReader, path: string, stamp: string): boolean;
  /** The text as the reader last knew it; absent when it is too long to be kept, or too long ago. */
  lastText(reader: FileReader, path: string): string | undefined;
  /** The session's view lost what was shown (compaction): everything may be shown again. */
  forget(sessionId: string): void;
}

/** Oldest facts are dropped beyond this many; forgetting one only costs a full read. */
const MAX_FACTS = 5_000;
/** Characters of one text that is kept to show later what was changed in it, and of all of them. */
export const MAX_KEPT_TEXT = 200_000;
const MAX_KEPT_TEXTS = 8_000_000;

export function createFileMemory(): FileMemory {
  const shown = new Map<string, { readonly stamp: string; readonly times: number }>();
  const known = new Map<string, string>();
  const refusals = new Map<string, string>();
  const kept = new Map<string, string>();
  const texts = openTexts();
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
    read: (reader, path, stamp, text) => {
      texts.keep(key(reader.sessionId, path, roleOf(reader)), text);
      keep(known, key(reader.sessionId, path, roleOf(reader)), stamp);
      refusals.delete(key(reader.sessionId, path, roleOf(reader)));
    },
    refused: (reader, path, stamp, text) => {
      keep(known, key(reader.sessionId, path, roleOf(reader)), stamp);
      keep(refusals, key(reader.sessionId, path, roleOf(reader)), key(stamp, sha256(text)));
    },
    isRefused: (reader, path, stamp, text) => refusals.get(key(reader.sessionId, path, roleOf(reader))) === key(stamp, sha256(text)),
    keptFormat: (reader, path, stamp, text) => keep(kept, key(reader.sessionId, path, roleOf(reader)), key(stamp, sha256(text))),
    wasKept: (reader, path, stamp, text) => kept.get(key(reader.sessionId, path, roleOf(reader))) === key(stamp, sha256(text)),
    wrote: (sessionId, path, stamp, text) => {
      for (const role of ['model', 'script']) {
        keep(known, key(sessionId, path, role), stamp);
        texts.keep(key(sessionId, path, role), text);
      }
    },
    changed: (reader, path, stamp) =>
      (known.get(key(reader.sessionId, path, roleOf(reader))) ?? known.get(key(reader.sessionId, path, 'model')) ?? stamp) !== stamp,
    lastText: (reader, path) => texts.get(key(reader.sessionId, path, roleOf(reader))) ?? texts.get(key(reader.sessionId, path, 'model')),
    forget: (sessionId) => {
      for (const id of shown.keys()) if (id.startsWith(`${sessionId}\0`)) shown.delete(id);
    },
  };
}

const roleOf = ({ forScript }: FileReader): string => (forScript === true ? 'script' : 'model');

/** The newest texts, up to a bound. */
function openTexts() {
  const texts = new Map<string, string>();
  let size = 0;
  const drop = (id: string): void => {
    size -= texts.get(id)?.length ?? 0;
    texts.delete(id);
  };
  return {
    get: (id: string): string | undefined => texts.get(id),
    keep: (id: string, text: string | undefined): void => {
      drop(id);
      if (text === undefined || text.length > MAX_KEPT_TEXT) return;
      texts.set(id, text);
      size += text.length;
      for (const oldest of texts.keys()) {
        if (size <= MAX_KEPT_TEXTS) break;
        drop(oldest);
      }
    },
  };
}

function keep<Value>(facts: Map<string, Value>, id: string, value: Value): void {
  facts.delete(id);
  facts.set(id, value);
  const oldest = facts.size > MAX_FACTS ? facts.keys().next().value : undefined;
  if (oldest !== undefined) facts.delete(oldest);
}
