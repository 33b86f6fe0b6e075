import type { MemoryEntryView, MemoryStoreView } from '../../contracts/memory.ts';
import { admitEntries } from './admitted.ts';
import { countCharacters, countUsedCharacters } from './entries.ts';
import { readSources, resolveSourcesPath } from './sources.ts';
import { readStore, resolveMemoryStore, TARGETS, type MemoryPlace } from './stores.ts';

/** Both stores with where each entry came from. Asks for no lock: a file is replaced whole. */
export function readMemory(place: Pick<MemoryPlace, 'home' | 'settings' | 'admit'>): MemoryStoreView[] {
  const sources = readSources(resolveSourcesPath(place.home));
  return TARGETS.map((target) => {
    const store = resolveMemoryStore(target, place);
    const { path, enabled, limit, file } = store;
    const stored = readStore(store);
    if (!stored.ok) return { target, path, enabled, limit, used: 0, entries: [], trouble: stored.words };
    const entries = admitEntries(stored.entries, file, place.admit).map(({ text, blocked, notices }): MemoryEntryView => {
      const { at, source } = sources.of(target, text) ?? {};
      return {
        text,
        chars: countCharacters(text),
        ...(at !== undefined && { at }),
        ...(source !== undefined && { source }),
        ...(blocked && { blocked: notices.join(' ') }),
      };
    });
    return { target, path, enabled, limit, used: countUsedCharacters(stored.entries), entries };
  });
}
