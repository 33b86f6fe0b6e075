import { fenceText, type FenceMark } from '../../base/fence.ts';
import type { MemoryTarget } from '../../contracts/memory.ts';
import { admitEntries } from './admitted.ts';
import { printEntries, formatMemoryUsage, countUsedCharacters } from './entries.ts';
import { readStore, resolveStoreFileName, resolveMemoryStore, type MemoryPlace, type MemoryStore } from './stores.ts';

const HEADINGS: Readonly<Record<MemoryTarget, { readonly words: string; readonly mark: FenceMark }>> = {
  memory: { words: 'Your notes from earlier sessions; they may be out of date.', mark: 'memory' },
  user: { words: 'What you know about the user; it may be out of date.', mark: 'user-profile' },
};

const FULL = '; full: remove or shorten entries before you add any';
const SEPARATED = 'Entries are separated by §.';

/** A store as the prompt shows it; nothing when there is nothing. `used` is given where markers stand for entries. */
export function renderMemoryStore(
  target: MemoryTarget,
  entries: readonly string[],
  limit: number,
  used = countUsedCharacters(entries),
): string | undefined {
  if (entries.length === 0) return undefined;
  const { words, mark } = HEADINGS[target];
  const separated = entries.length > 1 ? ` ${SEPARATED}` : '';
  return `${words}${separated} (${formatMemoryUsage(used, limit)}${used < limit ? '' : FULL})\n${fenceText(mark, { path: resolveStoreFileName(target) }, printEntries(entries).trimEnd())}`;
}

export interface MemorySnapshot {
  readonly text?: string;
  /** For the owner. */
  readonly notices: readonly string[];
}

/** What a new session sees of a store. */
export function readMemorySnapshot(target: MemoryTarget, place: Pick<MemoryPlace, 'home' | 'settings' | 'admit'>): MemorySnapshot {
  const store = resolveMemoryStore(target, place);
  if (!store.enabled) return { notices: [] };
  const stored = readStore(store);
  if (!stored.ok) return { notices: [`${stored.words} This session starts without it.`] };
  const admitted = admitEntries(stored.entries, store.file, place.admit);
  const shown = admitted.map((entry) => entry.shown);
  const used = countUsedCharacters(stored.entries);
  const text = renderMemoryStore(target, shown, store.limit, used);
  return { ...(text !== undefined && { text }), notices: [...admitted.flatMap((entry) => entry.notices), ...overLimit(store, used)] };
}

/** Only a person writes more than fits. The model sees all of it, but can add nothing, and every request pays for it. */
const overLimit = ({ path, limit, target }: MemoryStore, used: number): string[] =>
  used <= limit
    ? []
    : [
        `${path} holds ${used} characters; its limit is ${limit}. Every request carries all of it, and nothing can be added until it is shorter. Shorten it, or raise memory.${target}_char_limit.`,
      ];
