import type { MemoryProvider } from '../../contracts/memory.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { sessionLogMemory } from './session-log.ts';

type Log = Pick<SessionStore, 'search' | 'entries'>;

/** External memories by name. At most one is in use: the one that is named. */
const PROVIDERS: Readonly<Record<string, (log: Log) => MemoryProvider>> = { session_log: sessionLogMemory };

/** A name of the reference's providers that is not here yet costs its memory, not the session. */
export function openMemoryProvider(name: string, log: Log, notice: (words: string) => void): MemoryProvider | undefined {
  if (name === '') return undefined;
  const open = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  if (open === undefined)
    notice(`there is no memory provider ${name} (memory.provider), so none is used; known: ${Object.keys(PROVIDERS).join(', ')}.`);
  const provider = open?.(log);
  return provider?.available() === true ? provider : undefined;
}
