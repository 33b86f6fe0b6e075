import { UsageError } from '../base/errors.ts';
import type { MemoryProvider } from '../contracts/memory.ts';
import type { SessionStore } from '../contracts/session-store.ts';
import { sessionLogMemory } from '../parts/memory/session-log.ts';
import type { Config } from './config.ts';

/** External memories by name. At most one is in use: the one that is named. */
const PROVIDERS: Readonly<Record<string, (store: SessionStore) => MemoryProvider>> = { session_log: sessionLogMemory };

interface Place {
  readonly config: Config;
  readonly store?: SessionStore;
}

export function openMemoryProvider({ config, store }: Place): MemoryProvider | undefined {
  const name = config.settings['memory.provider'];
  if (name === '' || store === undefined) return undefined;
  const open = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  if (open === undefined)
    throw new UsageError(`there is no memory provider ${name} (memory.provider); known: ${Object.keys(PROVIDERS).join(', ')}.`);
  const provider = open(store);
  return provider.available() ? provider : undefined;
}
