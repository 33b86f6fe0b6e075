/**
 * Which providers and models there are, and whether they really answer. It reads settings, keys and the network and writes
 * nothing. A key that is being tried is passed in, goes to its provider's own address alone and is in none of the words that come back.
 */
export interface ModelService {
  /** Every provider, those that can be used right now first: the one in the settings, servers on this machine, those whose key is set. */
  providers(): Promise<readonly ProviderLine[]>;
  /** The provider of an id or alias. Throws for an unknown one, with the nearest name. */
  provider(name: string): Promise<ProviderLine>;
  /** What the settings and keys lead to; absent when that is nothing. Asks nobody but servers on this machine. */
  current(): Promise<CurrentModel | undefined>;
  /** The models a provider offers right now, by its own list. */
  list(candidate: RouteCandidate, signal: AbortSignal): Promise<ModelListResult>;
  /** Asks a model one short question, with the key. */
  check(candidate: RouteCandidate & { readonly model: string }, signal: AbortSignal): Promise<RouteCheck>;
}

/** A provider as the owner chooses it. */
export interface ProviderLine {
  readonly id: string;
  readonly state: 'chosen' | 'running' | 'key' | 'no_key';
  /** A server on this machine or any other that wants no key. */
  readonly needsKey: boolean;
  /** The variable its key is in, or belongs in. */
  readonly keyVariable?: string;
  readonly hasKey?: true;
  /** The key is in the environment of the process, which wins over `.env`. */
  readonly isKeyInherited?: true;
  /** Where it is reached; empty when only the owner knows. */
  readonly baseUrl: string;
  /** The address in the settings, when this is the provider there. */
  readonly setAddress?: string;
  readonly isLocal?: true;
  /** The command line that starts it. */
  readonly start?: string;
  readonly defaultModel?: string;
  /** Models a running server of this machine has. */
  readonly models?: readonly ModelLine[];
}

/** A route that is being tried out. */
export interface RouteCandidate {
  readonly provider: string;
  readonly baseUrl?: string;
  /** In place of the one that is set. */
  readonly key?: string;
  /** The variable its key is in, when that is not the provider's usual one. */
  readonly keyVariable?: string;
}
export interface CurrentModel {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  /** The variable of its key; absent when it wants none. */
  readonly keyVariable?: string;
  /** Its key is there, or it wants none. */
  readonly isUsable: boolean;
}

export interface ModelLine {
  readonly id: string;
  /** Tokens it can see. */
  readonly window?: number;
  /** US dollars per million tokens. */
  readonly inputPrice?: number;
  readonly outputPrice?: number;
}
export type ModelListResult = { readonly ok: true; readonly models: readonly ModelLine[] } | RouteTrouble;
export type RouteCheck = { readonly ok: true; readonly ms: number } | RouteTrouble;

/** Why a provider gave no answer. */
export interface RouteTrouble {
  readonly ok: false;
  /** `wrong_key`: it refused the key. `unpaid`: it knows the key, and the account has no credit. */
  readonly why: 'wrong_key' | 'unpaid' | 'unreachable' | 'other';
  /** A sentence without the key. */
  readonly words: string;
}
