import type { Env } from '../base/env.ts';
import { isUsageError } from '../base/errors.ts';
import type { CliOptions } from '../contracts/cli-options.ts';

/** Names of the models of a provider that a person can choose from. */
export type ListOfferedModels = (provider: string) => Promise<readonly string[]>;

/** Whoever opens a session waits for the list. */
const PATIENCE_MS = 2_000;

/** From the table of this version; a server that the table knows nothing of (one's own, one on this machine) is asked itself. */
export function createOfferedModels(env: Env, { register }: Pick<CliOptions, 'register'>): ListOfferedModels {
  const answers = new Map<string, readonly string[]>();
  return async (provider) => {
    const { loadModels } = await import('../parts/providers/models.ts');
    const known = [loadModels().list(provider), answers.get(provider) ?? []].find((names) => names.length > 0);
    if (known !== undefined) return known;
    const names = await askServer(provider, env, register);
    answers.set(provider, names);
    return names;
  };
}

async function askServer(provider: string, env: Env, register: CliOptions['register']): Promise<readonly string[]> {
  const { openServices } = await import('./services/services.ts');
  await using services = openServices({ processEnv: env, notice: () => {}, ...(register !== undefined && { register }) });
  try {
    const found = await (await services.openers.models()).list({ provider }, AbortSignal.timeout(PATIENCE_MS));
    return found.ok ? found.models.map(({ id }) => id) : [];
  } catch (error) {
    // What is wrong with the settings is told by whoever opens the session.
    if (isUsageError(error)) return [];
    throw error;
  }
}
