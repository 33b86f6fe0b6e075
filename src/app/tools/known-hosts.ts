import { findHostStanding, toHostEntry } from '../../parts/terminals/network/host-list.ts';
import { REGISTRY_HOSTS } from '../../parts/terminals/network/registries.ts';
import type { Settings } from '../config/config.ts';

/** How a host stands for tools of our own: by the same lists that commands in a sandbox go by. */
export function findKnownHost(url: URL, settings: Settings): 'allowed' | 'denied' | undefined {
  const entries = (name: 'terminal.allowed_hosts' | 'terminal.denied_hosts') => settings[name].flatMap((line) => toHostEntry(line) ?? []);
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port);
  const standing = findHostStanding(
    {
      registries: REGISTRY_HOSTS,
      ownRegistries: [],
      remotes: [],
      allowed: entries('terminal.allowed_hosts'),
      denied: entries('terminal.denied_hosts'),
    },
    { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port },
  );
  return standing.type === 'unknown' ? undefined : standing.type;
}
