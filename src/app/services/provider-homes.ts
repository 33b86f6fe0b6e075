import { resolveHome } from '../../base/home.ts';
import { UsageError } from '../../base/errors.ts';
import { describeUnknownProfile, listProfileNames, resolveProfileRoot, toProfileHome, toProfileName } from '../../base/profile.ts';
import type { ProviderHome, ProviderHomeService } from '../../contracts/services/provider-homes.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { readMemory } from '../../parts/memory/read-memory.ts';
import { openSafety } from '../../parts/safety/scan/open.ts';
import { openReach } from '../../parts/safety/urls/reach.ts';
import { loadConfig } from '../config/config.ts';

export function createProviderHomeService(options: ServiceOptions): ProviderHomeService {
  const here = resolveHome(options.processEnv).root;
  const root = resolveProfileRoot(here);
  const current = toProfileName(here);
  return {
    current,
    list: () => listProfileNames(root),
    open: async (profile = current) => {
      if (!listProfileNames(root).includes(profile)) throw new UsageError(describeUnknownProfile(profile, root));
      return openProfile(profile, toProfileHome(root, profile), options);
    },
  };
}

async function openProfile(profile: string, folder: string, { processEnv, notice, registered }: ServiceOptions): Promise<ProviderHome> {
  const home = resolveHome({ HERMES_HOME: folder });
  const env = mergeEnvironment(home.env, processEnv);
  const { settings } = await loadConfig(home.config, env, notice, registered);
  const reach = (owned: readonly string[]) => openReach({ settings, home: home.root, owned, env, notice });
  return {
    profile,
    home,
    env,
    provider: settings['memory.provider'],
    network: reach([]),
    reachOwnServer: (server) => reach([server]),
    memory: async () => {
      const safety = openSafety(home, notice);
      return readMemory({ home: home.root, settings, admit: await safety.admit() });
    },
  };
}
