import type { CredentialPool } from '../../contracts/provider.ts';
import type { Values } from '../../contracts/settings.ts';
import type { providerSettings } from './settings.ts';

export type Strategy = Values<typeof providerSettings>['credential_pool_strategy'];

export interface PoolParts {
  /** The credentials of each provider, in the owner's order. */
  readonly credentials: ReadonlyMap<string, readonly string[]>;
  readonly strategy: Strategy;
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random?: () => number;
}

/** The only key of a provider rests no longer than this: there is nothing to change to. Reference core §2.6. */
export const SOLE_REST_MS = 60_000;

/** Keys of each provider, and which of them may be used now. How long a refusal costs is the caller's to say. */
export function credentialPool({ credentials, strategy, now, random = Math.random }: PoolParts): CredentialPool {
  const restingUntil = new Map<string, number>();
  const uses = new Map<string, number>();
  const last = new Map<string, string>();
  const siblings = (credential: string) => [...credentials.values()].find((names) => names.includes(credential)) ?? [credential];
  return {
    next: (provider, except) => {
      const all = credentials.get(provider) ?? [];
      const usable = all.filter((name) => name !== except && (restingUntil.get(name) ?? 0) <= now());
      const chosen = CHOOSE[strategy]({ all, usable, uses, random, last: except ?? last.get(provider) });
      if (chosen === undefined) return undefined;
      uses.set(chosen, (uses.get(chosen) ?? 0) + 1);
      last.set(provider, chosen);
      return chosen;
    },
    rest: (credential, ms) => {
      const sole = siblings(credential).length <= 1;
      restingUntil.set(credential, now() + (sole ? Math.min(ms, SOLE_REST_MS) : ms));
    },
  };
}

interface Choice {
  readonly all: readonly string[];
  readonly usable: readonly string[];
  readonly uses: ReadonlyMap<string, number>;
  readonly last: string | undefined;
  readonly random: () => number;
}

const CHOOSE: Readonly<Record<Strategy, (choice: Choice) => string | undefined>> = {
  fill_first: ({ usable }) => usable[0],
  round_robin: ({ all, usable, last }) => {
    const from = last === undefined ? 0 : all.indexOf(last) + 1;
    return [...all.slice(from), ...all.slice(0, from)].find((name) => usable.includes(name));
  },
  least_used: ({ usable, uses }) => usable.toSorted((a, b) => (uses.get(a) ?? 0) - (uses.get(b) ?? 0))[0],
  random: ({ usable, random }) => usable[Math.floor(random() * usable.length)],
};
