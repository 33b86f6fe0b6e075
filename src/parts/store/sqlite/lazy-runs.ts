import type { RunStore } from '../../../contracts/run-store.ts';

/** Runs whose code is loaded with the first of them: only programs ask for any. */
export const createLazyRuns = (open: () => Promise<RunStore>): RunStore => ({
  begin: async (...given) => (await open()).begin(...given),
  find: async (...given) => (await open()).find(...given),
  findByTurn: async (...given) => (await open()).findByTurn(...given),
  listOpen: async (...given) => (await open()).listOpen(...given),
  remove: async (...given) => (await open()).remove(...given),
  append: async (...given) => (await open()).append(...given),
  events: async (...given) => (await open()).events(...given),
  requestStop: async (...given) => (await open()).requestStop(...given),
  createSession: async (...given) => (await open()).createSession(...given),
  findOwner: async (...given) => (await open()).findOwner(...given),
  listSessions: async (...given) => (await open()).listSessions(...given),
  findNamed: async (...given) => (await open()).findNamed(...given),
  findPrefix: async (...given) => (await open()).findPrefix(...given),
  spent: async (...given) => (await open()).spent(...given),
});
