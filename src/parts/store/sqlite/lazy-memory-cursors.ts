import type { MemoryCursorStore } from '../../../contracts/memory-cursors.ts';

/** Cursors whose code is loaded with their first use: most homes have no memory provider. */
export const createLazyMemoryCursors = (open: () => Promise<MemoryCursorStore>): MemoryCursorStore => ({
  follow: async (...given) => (await open()).follow(...given),
  take: async (...given) => (await open()).take(...given),
  move: async (...given) => (await open()).move(...given),
  release: async (...given) => (await open()).release(...given),
  backlog: async (...given) => (await open()).backlog(...given),
  nextDue: async (...given) => (await open()).nextDue(...given),
});
