import { findHostStanding, toHostEntry } from './host-list.ts';
import { REGISTRY_HOSTS } from './registries.ts';

/** How a host stands for tools of our own: by the same lists that commands in a sandbox go by. */
export function findKnownHost(
  url: URL,
  { allowed, denied }: { readonly allowed: readonly string[]; readonly denied: readonly string[] },
): 'allowed' | 'denied' | undefined {
  const entries = (lines: readonly string[]) => lines.flatMap((line) => toHostEntry(line) ?? []);
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port);
  const rules = { registries: REGISTRY_HOSTS, ownRegistries: [], remotes: [], allowed: entries(allowed), denied: entries(denied) };
  const standing = findHostStanding(rules, { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port });
  return standing.type === 'unknown' ? undefined : standing.type;
}
