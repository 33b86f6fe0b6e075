import type { Routes } from '../../src/contracts/routes.ts';
import type { SeededRandom } from '../../src/testing/seeded-random.ts';
import { NO_ROUTES } from '../agent/setup.ts';

/** Other keys and another provider to turn to, in some sessions. */
export function randomRoutes(chance: SeededRandom): Routes {
  const [keys, others] = [chance.pick([0, 0, 2]), chance.pick([0, 0, 1])];
  let facts = {};
  return {
    ...NO_ROUTES,
    rotate: async (runtime) => {
      const place = Number(runtime.credential.split('#')[1] ?? 0);
      return place < keys ? { ...runtime, credential: `KEY#${place + 1}` } : undefined;
    },
    fallback: async (runtime, tried) =>
      tried < others ? { ...runtime, provider: 'custom', baseUrl: 'http://fallback.test/v1' } : undefined,
    learnt: async () => facts,
    learn: async (_runtime, news) => void (facts = { ...facts, ...news }),
  };
}
