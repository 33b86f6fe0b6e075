import type { Env } from './env.ts';

/** A proxy that the environment names, and the variable that names it. */
export interface NamedProxy {
  readonly url: URL;
  readonly variable: string;
}

/** The proxy for an address, as curl and Node read the variables. This machine itself is never reached through one. */
export function findProxy(url: URL, env: Env): NamedProxy | undefined {
  const own = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const variable = [own, own.toUpperCase(), 'all_proxy', 'ALL_PROXY'].find((name) => (env[name] ?? '') !== '');
  if (variable === undefined || isLoopback(url.hostname) || isExcepted(url, env['no_proxy'] ?? env['NO_PROXY'] ?? '')) return undefined;
  const named = env[variable] ?? '';
  const proxy = URL.parse(named.includes('://') ? named : `http://${named}`);
  return proxy === null ? undefined : { url: proxy, variable };
}

/** Where the proxy is, without its name and password. */
export const describeProxy = ({ url, variable }: NamedProxy): string => `the proxy ${url.host} (${variable})`;

/** Why a proxy cannot be used; `undefined` when it can. */
export const findProxyTrouble = ({ url, variable }: NamedProxy): string | undefined =>
  url.protocol === 'http:' || url.protocol === 'https:'
    ? undefined
    : `${variable} names a proxy of the kind ${url.protocol.replace(/:$/, '')}, and only http and https proxies can be used. Set HTTPS_PROXY to such a proxy, or add the host to NO_PROXY`;

const isLoopback = (host: string): boolean => /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])\.?$/i.test(host);

/** Entries of NO_PROXY: `*`, a host with all below it, an address, a range such as `10.0.0.0/8`; each with a port or without one. */
function isExcepted(url: URL, exceptions: string): boolean {
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return exceptions.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true;
    const [, named = '', only] = /^(\[.*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    const name = named.replace(/^\*?\.|^\[|\]$|\.$/g, '');
    if (name === '' || (only !== undefined && only !== port)) return false;
    return name.includes('/') ? isInRange(host, name) : host === name || host.endsWith(`.${name}`);
  });
}

function isInRange(host: string, range: string): boolean {
  const { BlockList, isIP } = process.getBuiltinModule('node:net');
  const [address = '', bits = ''] = range.split('/');
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
