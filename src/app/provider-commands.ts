import { resolveHome } from '../base/home.ts';
import type { Env } from '../base/env.ts';
import type { AnyCommand } from '../contracts/command.ts';
import type { Registries } from '../contracts/registries.ts';
import { mergeEnvironment } from '../parts/config/environment.ts';
import { mentionsWord } from '../parts/config/mentions.ts';
import { MEMORY_PROVIDERS, resolveProviderName } from '../parts/memory/open-provider.ts';

/** The memory provider in use and its commands. Of any other provider nothing is known, so that nothing of it is shown. */
export interface ProviderInUse {
  /** Empty for none. */
  readonly name: string;
  readonly commands: readonly AnyCommand[];
}
/** Why the commands of a provider that is not in use are unknown; `undefined` for a word that is none with commands. */
export function explainUnusedProvider(word: string, inUse: string, given: Registries | undefined): string | undefined {
  const provider = given === undefined ? MEMORY_PROVIDERS[word] : given.memoryProviders.get(word);
  if (word === inUse || provider?.commands === undefined) return undefined;
  return `${word} has commands only while it is the memory provider, and ${inUse === '' ? 'none' : inUse} is. To use it: hermes memory setup --provider ${word}`;
}

const NONE: ProviderInUse = { name: '', commands: [] };

/** Asks no provider. Settings that cannot be read name none: help is for whoever has to mend them. */
export async function findProviderInUse(env: Env, given: Registries | undefined): Promise<ProviderInUse> {
  const home = resolveHome(env);
  if (!mentionsWord(home.config, 'memory')) return NONE;
  const { createRegistries, snapshotRegistries } = await import('./tools/registries.ts');
  const registered = snapshotRegistries(given ?? createRegistries());
  const { loadConfig } = await import('./config/config.ts');
  try {
    const { settings } = await loadConfig(home.config, mergeEnvironment(home.env, env), () => {}, registered);
    const name = resolveProviderName(settings['memory.provider']);
    return { name, commands: (await registered.memoryProviders.get(name)?.commands?.()) ?? [] };
  } catch {
    return NONE;
  }
}
