import type { MemoryTarget } from '../../contracts/memory.ts';
import { admitEntries } from './admitted.ts';
import { printEntries, usageWords, usedBy } from './entries.ts';
import { readStore, storeOf, type MemoryPlace } from './stores.ts';

const HEADINGS: Readonly<Record<MemoryTarget, string>> = {
  memory: '# Memory: notes you kept from earlier sessions. They may be out of date.',
  user: '# User: what you have learnt about the person you work for. It may be out of date.',
};

/** A store as the prompt shows it; nothing when there is nothing. `used` is given where markers stand for entries. */
export function memoryText(target: MemoryTarget, entries: readonly string[], limit: number, used = usedBy(entries)): string | undefined {
  if (entries.length === 0) return undefined;
  return `${HEADINGS[target]} (${usageWords(used, limit)})\n\n${printEntries(entries).trimEnd()}`;
}

export interface MemorySnapshot {
  readonly text?: string;
  /** For the owner. */
  readonly notices: readonly string[];
}

/** What a new session sees of a store. */
export function memorySnapshot(target: MemoryTarget, place: Pick<MemoryPlace, 'home' | 'settings' | 'admit'>): MemorySnapshot {
  const store = storeOf(target, place);
  if (!store.enabled) return { notices: [] };
  const stored = readStore(store);
  if (!stored.ok) return { notices: [`${stored.words} This session starts without it.`] };
  const admitted = admitEntries(stored.entries, store.file, place.admit);
  const shown = admitted.map((entry) => entry.shown);
  const text = memoryText(target, shown, store.limit, usedBy(stored.entries));
  return { ...(text !== undefined && { text }), notices: admitted.flatMap((entry) => entry.notices) };
}
