import type { MemoryProvider, MemoryProviderFactory } from '../../contracts/memory.ts';
import { sessionLogMemory } from './session-log.ts';

/** The built-in external memories by name. At most one is in use: the one that is named. */
export const MEMORY_PROVIDERS: Readonly<Record<string, MemoryProviderFactory>> = { session_log: sessionLogMemory };

/** A name of the reference's providers that is not here yet costs its memory, not the session. */
export function openMemoryProvider(
  name: string,
  providers: ReadonlyMap<string, MemoryProviderFactory>,
  log: Parameters<MemoryProviderFactory>[0],
  notice: (words: string) => void,
): MemoryProvider | undefined {
  if (name === '') return undefined;
  const open = providers.get(name);
  if (open === undefined)
    notice(`there is no memory provider ${name} (memory.provider), so none is used; known: ${[...providers.keys()].join(', ')}.`);
  const provider = open?.(log);
  return provider?.available() === true ? provider : undefined;
}
