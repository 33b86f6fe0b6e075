import http from 'node:http';
import type { Env } from '../../../base/env.ts';
import { describeProxy, findProxy, findProxyTrouble, type NamedProxy } from '../../../base/proxy-env.ts';
import { TransportError } from './transport-error.ts';

/** How requests reach a host: directly, or through a proxy. */
export interface NetworkWay {
  /** The host as errors name it, with the proxy in between. */
  readonly name: string;
  readonly agent: http.Agent;
  readonly request: typeof http.request;
}

/** Connections that outlive a call, made when they are first needed. TLS is loaded with the first secure one. */
export interface Agents {
  wayTo(url: URL, headers: Readonly<Record<string, string>>): NetworkWay;
  /** Those that may hold sockets by now. */
  opened(): readonly http.Agent[];
}

/** Headers that hold a key. */
const KEY_HEADERS = ['authorization', 'x-api-key', 'api-key'];

export function createAgents(env: Env, options: http.AgentOptions): Agents {
  const made = new Map<string, http.Agent>();
  return {
    wayTo: (url, headers) => {
      const proxy = findProxy(url, env);
      if (proxy !== undefined) refuseUnsafe(url, proxy, headers);
      const { Agent, request } = url.protocol === 'https:' ? process.getBuiltinModule('node:https') : http;
      const key = `${url.protocol}|${proxy?.url.href ?? ''}`;
      const known = made.get(key);
      const agent = known ?? new Agent({ ...options, ...(proxy !== undefined && { proxyEnv: toProxyEnv(proxy) }) });
      made.set(key, agent);
      return { agent, request, name: proxy === undefined ? url.host : `${url.host} through ${describeProxy(proxy)}` };
    },
    opened: () => [...made.values()],
  };
}

/** Which hosts it is for was decided here. */
const toProxyEnv = ({ url: { href } }: NamedProxy): NodeJS.ProcessEnv => ({ HTTP_PROXY: href, HTTPS_PROXY: href });

function refuseUnsafe(url: URL, proxy: NamedProxy, headers: Readonly<Record<string, string>>): void {
  const trouble = findProxyTrouble(proxy);
  if (trouble !== undefined) throw new TransportError('connect', 'connect', `${url.host}: ${trouble}`);
  const hasKey = Object.keys(headers).some((name) => KEY_HEADERS.includes(name.toLowerCase()));
  if (url.protocol === 'https:' || !hasKey) return;
  const words = `${url.host}: not sent, for ${describeProxy(proxy)} could read the key on its way to an http:// address. Use an https:// address, or add ${url.hostname} to NO_PROXY to connect directly`;
  throw new TransportError('connect', 'connect', words);
}
