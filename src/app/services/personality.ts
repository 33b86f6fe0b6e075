import { resolveHome } from '../../base/home.ts';
import type { PersonalityService } from '../../contracts/services/personality.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { listPersonalities, toPersonalityFact } from '../../parts/prompt/personalities.ts';
import { loadConfig } from '../config/config.ts';

export async function createPersonalityService(
  { processEnv, notice, registered }: ServiceOptions,
  store: Pick<SessionStore, 'fact' | 'learn'>,
): Promise<PersonalityService> {
  const home = resolveHome(processEnv);
  const { settings } = await loadConfig(home.config, mergeEnvironment(home.env, processEnv), notice, registered);
  return {
    list: () => listPersonalities(settings.personalities),
    current: async (sessionId) => {
      const name = (await store.fact(toPersonalityFact(sessionId))) ?? settings['display.personality'];
      return name === '' ? undefined : name;
    },
    choose: async (sessionId, name = '') => void (await store.learn(toPersonalityFact(sessionId), name)),
  };
}
