import { homedir } from 'node:os';
import type { WallProfile } from '../../contracts/wall.ts';
import type { OpenSandboxNetwork } from '../../parts/terminals/sandbox/network-port.ts';
import type { HomeParts } from './home-parts.ts';

/**
 * How commands of a sandbox talk to others: by host, through a proxy of ours. `undefined` where the owner opened the network
 * as a whole, or where nobody watches and no host is listed: then there is none.
 */
export function findSandboxNetwork(
  { home, config: { settings }, env, secrets }: Pick<HomeParts, 'home' | 'config' | 'env' | 'secrets'>,
  wall: WallProfile,
  notice: (words: string) => void,
): OpenSandboxNetwork | undefined {
  const [allowed, denied] = [settings['terminal.allowed_hosts'], settings['terminal.denied_hosts']];
  const listedOnly = wall === 'unattended';
  if (settings['terminal.sandbox_network'] || (listedOnly && allowed.length === 0)) return undefined;
  return async (options) => {
    const [{ openGuardedNetwork }, { openRoutes }, { openRemotesOfHome }] = await Promise.all([
      import('../../parts/terminals/network/network.ts'),
      import('../../parts/safety/urls/routes.ts'),
      import('../../parts/safety/guarded/owner-remotes.ts'),
    ]);
    const routes = openRoutes({ settings, home: home.root, env, notice });
    return openGuardedNetwork({
      routes,
      allowed,
      denied,
      listedOnly,
      home: homedir(),
      env,
      remotes: openRemotesOfHome(home.root),
      ...(secrets !== undefined && { holdsSecret: (text) => secrets.redact(text) !== text }),
      notice,
    })(options);
  };
}
