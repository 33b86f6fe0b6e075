import type { MemorySource, MemoryTarget } from '../../contracts/memory.ts';
import { admitEntries } from './admitted.ts';
import { charsOf, usedBy } from './entries.ts';
import { readSources, sourcesPath } from './sources.ts';
import { readStore, storeOf, TARGETS, type MemoryPlace } from './stores.ts';

/** A store as its owner looks at it. */
export interface StoreView {
  readonly target: MemoryTarget;
  readonly path: string;
  readonly enabled: boolean;
  readonly limit: number;
  readonly used: number;
  readonly entries: readonly EntryView[];
  /** Why the file could not be read. */
  readonly trouble?: string;
}
export interface EntryView {
  readonly text: string;
  readonly chars: number;
  /** When it was written, unless by hand into the file. */
  readonly at?: number;
  /** Absent when the owner wrote it. */
  readonly source?: MemorySource;
  /** Kept from the model: why, and how to allow it. */
  readonly blocked?: string;
}

/** Both stores with where each entry came from. Asks for no lock: a file is replaced whole. */
export function readMemory(place: Pick<MemoryPlace, 'home' | 'settings' | 'admit'>): StoreView[] {
  const sources = readSources(sourcesPath(place.home));
  return TARGETS.map((target) => {
    const store = storeOf(target, place);
    const { path, enabled, limit, file } = store;
    const stored = readStore(store);
    if (!stored.ok) return { target, path, enabled, limit, used: 0, entries: [], trouble: stored.words };
    const entries = admitEntries(stored.entries, file, place.admit).map(({ text, blocked, notices }): EntryView => {
      const { at, source } = sources.of(target, text) ?? {};
      return {
        text,
        chars: charsOf(text),
        ...(at !== undefined && { at }),
        ...(source !== undefined && { source }),
        ...(blocked && { blocked: notices.join(' ') }),
      };
    });
    return { target, path, enabled, limit, used: usedBy(stored.entries), entries };
  });
}
