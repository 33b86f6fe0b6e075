import { readPath, isObject, readNumberAt, parseJson, readStringAt } from '../../base/json.ts';
import type { CredentialPool } from '../../contracts/provider.ts';
import type { SliceValues } from '../../contracts/settings.ts';
import type { FactStore } from './routes.ts';
import type { providerSettings } from './settings.ts';

export type PoolStrategy = SliceValues<typeof providerSettings>['credential_pool_strategy'];

export interface PoolParts {
  /** The credentials of each provider, in the owner's order. */
  readonly credentials: ReadonlyMap<string, readonly string[]>;
  readonly strategy: PoolStrategy;
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random?: () => number;
  /** Rests and uses are kept here, so that the next run does not meet a dead key again. */
  readonly facts: FactStore;
  /** Tells one secret from another under the same name: a new key does not inherit the rest of the old one. */
  readonly printOf: (credential: string) => string;
}

/** The only key of a provider rests no longer than this: there is nothing to change to. Reference core §2.6. */
export const SOLE_REST_MS = 60_000;

/** Keys of each provider, and which of them may be used now. How long a refusal costs is the caller's to say. */
export function createCredentialPool({ credentials, strategy, now, random = Math.random, facts, printOf }: PoolParts): CredentialPool {
  const rests = async (name: string): Promise<boolean> => {
    const rest = parseJson((await facts.fact(restKey(name))) ?? '');
    return readStringAt(rest, 'print') === printOf(name) && (readNumberAt(rest, 'until') ?? 0) > now();
  };
  return {
    next: async (provider, except) => {
      const all = credentials.get(provider) ?? [];
      const resting = await Promise.all(all.map(rests));
      const usable = all.filter((name, place) => name !== except && resting[place] !== true);
      const { last, uses } = readUse(await facts.fact(useKey(provider)));
      const chosen = CHOOSE[strategy]({ all, usable, uses, random, last: except ?? last });
      if (chosen !== undefined && REMEMBERS[strategy]) await facts.learn(useKey(provider), writeUse(all, uses, chosen));
      return chosen;
    },
    rest: async (credential, ms) => {
      const siblings = [...credentials.values()].find((names) => names.includes(credential)) ?? [];
      if (siblings.length === 0) return;
      const until = now() + (siblings.length === 1 ? Math.min(ms, SOLE_REST_MS) : ms);
      await facts.learn(restKey(credential), JSON.stringify({ until, print: printOf(credential) }));
    },
  };
}

const restKey = (credential: string): string => `key-rest:${credential}`;
const useKey = (provider: string): string => `key-use:${provider}`;

interface KeyUse {
  readonly last: string | undefined;
  readonly uses: ReadonlyMap<string, number>;
}
function readUse(text: string | undefined): KeyUse {
  const kept = parseJson(text ?? '');
  const uses = readPath(kept, 'uses');
  const counts = isObject(uses) ? Object.keys(uses).map((name) => [name, readNumberAt(uses, name) ?? 0] as const) : [];
  return { last: readStringAt(kept, 'last'), uses: new Map(counts) };
}

/** Counted from the least used one, so that a key that joins later is not made to catch up with years. */
function writeUse(all: readonly string[], uses: KeyUse['uses'], chosen: string): string {
  const counts = all.map((name) => [name, (uses.get(name) ?? 0) + (name === chosen ? 1 : 0)] as const);
  const least = Math.min(...counts.map(([, count]) => count));
  return JSON.stringify({ last: chosen, uses: Object.fromEntries(counts.map(([name, count]) => [name, count - least])) });
}

interface KeyChoice extends KeyUse {
  readonly all: readonly string[];
  readonly usable: readonly string[];
  readonly random: () => number;
}

const CHOOSE: Readonly<Record<PoolStrategy, (choice: KeyChoice) => string | undefined>> = {
  fill_first: ({ usable }) => usable[0],
  round_robin: ({ all, usable, last }) => {
    const from = last === undefined ? 0 : all.indexOf(last) + 1;
    return [...all.slice(from), ...all.slice(0, from)].find((name) => usable.includes(name));
  },
  least_used: ({ usable, uses }) => usable.toSorted((a, b) => (uses.get(a) ?? 0) - (uses.get(b) ?? 0))[0],
  random: ({ usable, random }) => usable[Math.floor(random() * usable.length)],
};
/** Whether the next choice depends on the last. */
const REMEMBERS: Readonly<Record<PoolStrategy, boolean>> = { fill_first: false, round_robin: true, least_used: true, random: false };
