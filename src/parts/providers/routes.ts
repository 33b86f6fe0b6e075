import { parseJson } from '../../base/json.ts';
import type { Auth, CredentialPool } from '../../contracts/provider.ts';
import type { RouteFacts, Routes } from '../../contracts/routes.ts';
import { toRouteKey, type Runtime } from '../../contracts/runtime.ts';

export interface RouteParts {
  readonly auth: Auth;
  readonly pool: CredentialPool;
  /** The pool of keys a route may use: its provider's, or that of the one variable its owner named. */
  readonly poolOf?: (runtime: Runtime) => string;
  /** The owner's fallback chain, in order, each entry resolved when it is reached. */
  readonly chain: readonly (() => Runtime | undefined)[];
  /** Whether the route's key is there; a route without one is passed over. */
  readonly usable?: (runtime: Runtime) => boolean;
  /** Where facts about routes are kept between runs. */
  readonly facts: FactStore;
}
export interface FactStore {
  fact(key: string): Promise<string | undefined>;
  learn(key: string, value: string): Promise<unknown>;
}

/** How long a key rests after each kind of refusal. Reference core §2.6; a stated wait wins. */
const REST_MS = { unauthorized: 300_000, rate_limited: 3_600_000, billing: 3_600_000, forbidden: 3_600_000 } as const;

export function createRoutes({ auth, pool, poolOf = ({ provider }) => provider, chain, usable = () => true, facts }: RouteParts): Routes {
  return {
    refresh: (runtime) => auth.refresh(runtime),
    rotate: async (runtime, why, restMs) => {
      await pool.rest(runtime.credential, restMs ?? REST_MS[why]);
      const next = await pool.next(poolOf(runtime), runtime.credential);
      return next === undefined ? undefined : { ...runtime, credential: next };
    },
    fallback: async (runtime, tried) => {
      const open = chain.flatMap((resolve) => resolve() ?? []).filter(usable);
      const distinct = open.filter((other, place) => open.findIndex((earlier) => sameBackend(earlier, other)) === place);
      const route = distinct.slice(tried).find((other) => !sameBackend(other, runtime));
      return route && { ...route, credential: (await pool.next(poolOf(route))) ?? route.credential };
    },
    ...createRouteMemory(facts),
  };
}

const key = (runtime: Runtime): string => `route:${toRouteKey(runtime)}`;

/** A window is felt for anew after this: a server may have been started with a larger one, which costs one refusal to find out. */
const WINDOW_KEPT_MS = 86_400_000;
interface StoredFacts extends RouteFacts {
  readonly windowUntil?: number;
}

async function readStoredFacts(facts: Pick<FactStore, 'fact'>, runtime: Runtime, now: number): Promise<StoredFacts> {
  const text = await facts.fact(key(runtime));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- read back as `learn` wrote it
  const { window, windowUntil = 0, ...others } = text === undefined ? {} : ((parseJson(text) ?? {}) as StoredFacts);
  return window !== undefined && windowUntil > now ? { ...others, window, windowUntil } : others;
}

/** The window that was learnt about a route and until when it holds, in words; `undefined` when none was. */
export async function describeLearntWindow(facts: Pick<FactStore, 'fact'>, runtime: Runtime): Promise<string | undefined> {
  const { window, windowUntil } = await readStoredFacts(facts, runtime, Date.now());
  if (window === undefined || windowUntil === undefined) return undefined;
  const until = new Date(windowUntil).toISOString().slice(0, 16).replace('T', ' ');
  return `${window} tokens, as the server of ${runtime.model} has stated itself; felt for anew after ${until} UTC`;
}

/** What was learnt about routes, kept between runs. */
export function createRouteMemory(facts: FactStore, now: () => number = Date.now): Pick<Routes, 'learnt' | 'learn'> {
  const stored = (runtime: Runtime): Promise<StoredFacts> => readStoredFacts(facts, runtime, now());
  return {
    learnt: async (runtime) => {
      const { windowUntil: _, ...known } = await stored(runtime);
      return known;
    },
    learn: async (runtime, news) => {
      const until = news.window === undefined ? {} : { windowUntil: now() + WINDOW_KEPT_MS };
      await facts.learn(key(runtime), JSON.stringify({ ...(await stored(runtime)), ...news, ...until }));
    },
  };
}

const sameBackend = (a: Runtime, b: Runtime): boolean => a.baseUrl === b.baseUrl && a.model === b.model && a.protocol === b.protocol;
