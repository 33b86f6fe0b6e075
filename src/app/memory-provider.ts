import type { MemoryProvider } from '../contracts/memory.ts';
import type { SessionStore } from '../contracts/session-store.ts';
import { sessionLogMemory } from '../parts/memory/session-log.ts';
import type { Config } from './config.ts';
import { NO_STORE } from './no-store.ts';
import { storeNotice } from './store.ts';

type Log = Pick<SessionStore, 'search' | 'entries'>;

/** External memories by name. At most one is in use: the one that is named. */
const PROVIDERS: Readonly<Record<string, (log: Log) => MemoryProvider>> = { session_log: sessionLogMemory };

interface Place {
  readonly config: Config;
  /** Absent where nobody talks. */
  readonly store?: Log;
}

const told = new Set<string>();
const tellOnce = (words: string): void => {
  if (!told.has(words)) storeNotice(words);
  told.add(words);
};

/** A name of the reference's providers that is not here yet costs its memory, not the session. */
export function openMemoryProvider({ config, store = NO_STORE }: Place): MemoryProvider | undefined {
  const name = config.settings['memory.provider'];
  if (name === '') return undefined;
  const open = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  if (open === undefined)
    tellOnce(`there is no memory provider ${name} (memory.provider), so none is used; known: ${Object.keys(PROVIDERS).join(', ')}.`);
  const provider = open?.(store);
  return provider?.available() === true ? provider : undefined;
}
