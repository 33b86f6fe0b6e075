import type { MemoryProvider } from '../../contracts/memory.ts';
import { sessionLogMemory, type SearchableLog } from './session-log.ts';

/** External memories by name. At most one is in use: the one that is named. */
const PROVIDERS: Readonly<Record<string, (log: SearchableLog) => MemoryProvider>> = { session_log: sessionLogMemory };

/** A name of the reference's providers that is not here yet costs its memory, not the session. */
export function openMemoryProvider(name: string, log: SearchableLog, notice: (words: string) => void): MemoryProvider | undefined {
  if (name === '') return undefined;
  const open = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  if (open === undefined)
    notice(`there is no memory provider ${name} (memory.provider), so none is used; known: ${Object.keys(PROVIDERS).join(', ')}.`);
  const provider = open?.(log);
  return provider?.available() === true ? provider : undefined;
}
