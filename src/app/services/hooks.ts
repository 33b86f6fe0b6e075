import { resolveHome } from '../../base/home.ts';
import type { HookService } from '../../contracts/services/hooks.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { createHookService } from '../../parts/hooks/hook-service.ts';
import { openReach } from '../../parts/safety/urls/reach.ts';
import { loadConfig } from '../config/config.ts';

export async function openHookService({ processEnv, notice, registered }: ServiceOptions, store: SessionStore): Promise<HookService> {
  const home = resolveHome(processEnv);
  const env = mergeEnvironment(home.env, processEnv);
  const { settings } = await loadConfig(home.config, env, notice, registered);
  return createHookService({
    root: home.root,
    store,
    table: settings.hooks,
    env,
    networkTo: (url) => openReach({ settings, home: home.root, owned: [url], env, notice }),
  });
}
