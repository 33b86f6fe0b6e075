import { dropRewound, type Entry, type LogMessage } from '../../../../contracts/entry.ts';
import { isStoreError, type SessionStore } from '../../../../contracts/session-store.ts';
import { collectMessages } from './transcript.ts';

/** What is needed of the store. */
export type ArchiveStore = Pick<SessionStore, 'search' | 'entries' | 'list' | 'find'>;

/** Logs as one call reads them: each once, and one that cannot be read does not keep the others from being found. */
export interface Archive {
  log(sessionId: string): Promise<SessionTranscript>;
  /** Why logs could not be read, in words. */
  readonly troubles: readonly string[];
}

export interface SessionTranscript {
  readonly entries: readonly Entry[];
  readonly said: readonly LogMessage[];
}

export function openArchive(store: ArchiveStore): Archive {
  const logs = new Map<string, SessionTranscript>();
  const troubles: string[] = [];
  const read = async (sessionId: string): Promise<readonly Entry[]> => {
    try {
      return dropRewound(await store.entries(sessionId));
    } catch (error) {
      if (!isStoreError(error)) throw error;
      troubles.push(error.message);
      return [];
    }
  };
  const log = async (sessionId: string): Promise<SessionTranscript> => {
    const known = logs.get(sessionId);
    if (known !== undefined) return known;
    const entries = await read(sessionId);
    const fresh = { entries, said: collectMessages(entries) };
    logs.set(sessionId, fresh);
    return fresh;
  };
  return { log, troubles };
}
