import { isUsageError } from '../../base/errors.ts';
import type { ModelService } from '../../contracts/services/models.ts';

/** Names of the models of a provider that a person can choose from. */
export type ListOfferedModels = (provider: string) => Promise<readonly string[]>;

/** Somebody waits for the list. */
const MAX_LIST_MS = 2_000;

export interface OfferedModelsDeps {
  withModels(use: (models: ModelService) => Promise<readonly string[]>): Promise<readonly string[]>;
  /** Who is asked first: the table of this version costs no time, the provider knows what it has today. */
  readonly first: 'table' | 'provider';
}

/** From the table and from the provider itself: the other one is asked when the first has nothing. Each provider is asked once. */
export function createOfferedModels({ withModels, first }: OfferedModelsDeps): ListOfferedModels {
  const ask = async (provider: string): Promise<readonly string[]> => {
    const known = async () => (await import('./models.ts')).loadModels().list(provider);
    const offered = () => withModels((models) => askProvider(provider, models));
    const [one, other] = first === 'table' ? [known, offered] : [offered, known];
    const names = await one();
    return names.length > 0 ? names : other();
  };
  const answers = new Map<string, Promise<readonly string[]>>();
  return (provider) => {
    const answer = answers.get(provider) ?? ask(provider);
    answers.set(provider, answer);
    return answer;
  };
}

async function askProvider(provider: string, models: ModelService): Promise<readonly string[]> {
  try {
    const current = await models.current();
    const found = await models.list(current?.provider === provider ? current : { provider }, AbortSignal.timeout(MAX_LIST_MS));
    return found.ok ? found.models.map(({ id }) => id) : [];
  } catch (error) {
    // What is wrong with the settings is told by whoever opens the session.
    if (isUsageError(error)) return [];
    throw error;
  }
}
