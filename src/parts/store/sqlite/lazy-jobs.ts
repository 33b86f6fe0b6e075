import type { JobStore } from '../../../contracts/job-store.ts';

/** Jobs whose code is loaded with their first use: most runs of the program have nothing to do with them. */
export const createLazyJobs = (open: () => Promise<JobStore>): JobStore => ({
  now: async () => (await open()).now(),
  add: async (...given) => (await open()).add(...given),
  list: async (...given) => (await open()).list(...given),
  find: async (...given) => (await open()).find(...given),
  change: async (...given) => (await open()).change(...given),
  remove: async (...given) => (await open()).remove(...given),
  due: async (...given) => (await open()).due(...given),
  pass: async (...given) => (await open()).pass(...given),
  advance: async (...given) => (await open()).advance(...given),
  ask: async (...given) => (await open()).ask(...given),
  take: async (...given) => (await open()).take(...given),
  renew: async (...given) => (await open()).renew(...given),
  release: async (...given) => (await open()).release(...given),
  beginScript: async (...given) => (await open()).beginScript(...given),
  start: async (...given) => (await open()).start(...given),
  finish: async (...given) => (await open()).finish(...given),
  nextDue: async () => (await open()).nextDue(),
  runs: async (...given) => (await open()).runs(...given),
  announce: async (...given) => (await open()).announce(...given),
  withdraw: async () => (await open()).withdraw(),
  tickers: async () => (await open()).tickers(),
});
