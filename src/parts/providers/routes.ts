import { parseJson } from '../../base/json.ts';
import type { CredentialPool } from '../../contracts/provider.ts';
import type { RouteFacts, Routes } from '../../contracts/routes.ts';
import { routeKey, type Runtime } from '../../contracts/runtime.ts';
import type { Auth } from '../../contracts/provider.ts';

export interface RouteParts {
  readonly auth: Auth;
  readonly pool: CredentialPool;
  /** The owner's fallback chain, in order, each entry resolved when it is reached. */
  readonly chain: readonly (() => Runtime | undefined)[];
  /** Where facts about routes are kept between runs. */
  readonly facts: { fact(key: string): Promise<string | undefined>; learn(key: string, value: string): Promise<void> };
}

/** How long a key rests after each kind of refusal. Reference core §2.6; a stated wait wins. */
const REST_MS = { unauthorized: 300_000, rate_limited: 3_600_000, billing: 3_600_000, forbidden: 3_600_000 } as const;

export function createRoutes({ auth, pool, chain, facts }: RouteParts): Routes {
  const key = (runtime: Runtime) => `route:${routeKey(runtime)}`;
  const learnt = async (runtime: Runtime): Promise<RouteFacts> => {
    const text = await facts.fact(key(runtime));
    return text === undefined ? {} : ((parseJson(text) ?? {}) as RouteFacts);
  };
  return {
    refresh: (runtime) => auth.refresh(runtime),
    rotate: async (runtime, why, restMs) => {
      pool.rest(runtime.credential, restMs ?? REST_MS[why]);
      const next = pool.next(runtime.provider, runtime.credential);
      return next === undefined ? undefined : { ...runtime, credential: next };
    },
    fallback: async (runtime, tried) => {
      const rest = chain.slice(tried).map((resolve) => resolve());
      return rest.find((other) => other !== undefined && !sameBackend(other, runtime));
    },
    learnt,
    learn: async (runtime, news) => facts.learn(key(runtime), JSON.stringify({ ...(await learnt(runtime)), ...news })),
  };
}

const sameBackend = (a: Runtime, b: Runtime): boolean => a.baseUrl === b.baseUrl && a.model === b.model && a.protocol === b.protocol;
