import { connect as connectPlain } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { toErrorMessage } from '../../base/errors.ts';
import { describeProxy, findProxy, findProxyTrouble, type NamedProxy } from '../../base/proxy-env.ts';
import type { ProviderProfile } from '../../contracts/provider-profile.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import type { CheckupFinding } from '../../contracts/services/insight.ts';
import { NO_CREDENTIAL } from './auth/api-key.ts';
import { describeUnsupportedTokens } from './catalog/unsupported.ts';
import { listCredentials, findCredentialSecret } from './keys.ts';
import { probeLocal } from './local.ts';
import type { Env } from '../../base/env.ts';
import { resolveRoute, type ModelConfig } from './connect.ts';

/** Names of the variables that hold a key; never a value. */
export function checkKeys(env: Env, profiles: Iterable<ProviderProfile>): CheckupFinding {
  const names = [...new Set([...profiles].flatMap((profile) => listCredentials(profile, env)))];
  const set = names.length === 0 ? 'no API keys set' : `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} set`;
  return { name: 'keys', ok: true, words: [set, ...describeUnsupportedTokens(env)].join('; ') };
}

/** Model servers that run on this machine. */
export async function checkLocal(env: Env): Promise<CheckupFinding> {
  const servers = await probeLocal(env);
  const words = servers.map(
    ({ provider, baseUrl, models }) => `${provider} at ${baseUrl} with ${models.length} ${models.length === 1 ? 'model' : 'models'}`,
  );
  return {
    name: 'local servers',
    ok: true,
    words: words.length === 0 ? 'none found (Ollama, LM Studio, llama.cpp, vLLM)' : words.join('; '),
  };
}

export interface RouteFinding {
  readonly finding: CheckupFinding;
  readonly runtime?: Runtime;
}

/** Where `hermes chat` would go, and why there. */
export async function checkRoute(config: ModelConfig, env: Env, providers: ReadonlyMap<string, ProviderProfile>): Promise<RouteFinding> {
  try {
    const runtime = await resolveRoute({ selection: {}, config, env, kept: undefined, notice: () => {}, providers });
    const { provider, model, baseUrl, credential } = runtime;
    const key = credential === 'none' ? 'without a key' : `with ${credential}`;
    const finding = {
      name: 'route',
      ok: true,
      words: `${provider} ${model} at ${shortUrl(baseUrl)}, ${key}; ${reason(config, credential)}`,
    };
    if (credential === 'none' || findCredentialSecret(credential, env) !== undefined) return { finding, runtime };
    return {
      runtime,
      finding: {
        ...finding,
        ok: false,
        words: `${provider} ${model} (${reason(config, credential)}), but ${credential} is not set`,
        cure: `hermes config set ${credential} --secret`,
      },
    };
  } catch (error) {
    const [words = ''] = toErrorMessage(error).split(/(?<=\.) /, 1);
    return { finding: { name: 'route', ok: false, words, cure: NEXT_STEP } };
  }
}

const NEXT_STEP = 'To connect one: hermes setup';

function reason({ sources, settings }: ModelConfig, credential: string): string {
  const named = (['model.provider', 'model.base_url'] as const).find((key) => sources[key] !== undefined && settings[key] !== 'auto');
  if (named !== undefined) return `chosen by ${named} (${sources[named] === 'env' ? 'environment' : 'settings file'})`;
  return credential === 'none' ? 'found on this machine' : `chosen because ${credential} is set`;
}

const shortUrl = (url: string): string => url.replace(/^https:\/\//, '').replace(/\/\/[^/@]*@/, '//');

/** How long a host may take to open a connection. */
const PATIENCE_MS = 2_000;

/** Opens a connection, to the proxy where there is one, and closes it again; not one byte of a request, and no key, is sent. */
export async function checkHost({ baseUrl, credential }: Runtime, env: Env): Promise<CheckupFinding> {
  const url = new URL(baseUrl);
  const proxy = findProxy(url, env);
  const unusable = proxy && findUnusable(url, proxy, credential);
  if (unusable !== undefined) return { name: 'host', ok: false, ...unusable };
  const name = proxy === undefined ? url.host : `${url.host} through ${describeProxy(proxy)}`;
  const { hostname, port, protocol } = proxy?.url ?? url;
  const started = performance.now();
  const trouble = await knock(hostname.replace(/^\[|\]$/g, ''), Number(port) || (protocol === 'https:' ? 443 : 80), protocol === 'https:');
  const ms = Math.round(performance.now() - started);
  if (trouble === undefined) return { name: 'host', ok: true, words: `${name}${proxy === undefined ? '' : ', which'} answers in ${ms} ms` };
  return {
    name: 'host',
    ok: false,
    words: `${name} does not answer: ${trouble}`,
    cure: 'Check the network, a proxy, or whether the server runs; then: hermes doctor',
  };
}

function findUnusable(url: URL, proxy: NamedProxy, credential: string): Pick<CheckupFinding, 'words' | 'cure'> | undefined {
  const trouble = findProxyTrouble(proxy);
  if (trouble !== undefined) return { words: `${url.host}: ${trouble}`, cure: 'After that: hermes doctor' };
  if (url.protocol === 'https:' || credential === NO_CREDENTIAL) return undefined;
  return {
    words: `${url.host}: nothing is sent, for ${describeProxy(proxy)} could read the key on its way to an http:// address`,
    cure: `Use an https:// address, or add ${url.hostname} to NO_PROXY`,
  };
}

function knock(host: string, port: number, secure: boolean): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const socket = secure ? connectSecure({ host, port, servername: host }) : connectPlain({ host, port });
  socket.setTimeout(PATIENCE_MS, () => resolve(`no connection within ${PATIENCE_MS / 1000} s`));
  socket.once(secure ? 'secureConnect' : 'connect', () => resolve(undefined));
  socket.once('error', (error) => resolve(toErrorMessage(error) || 'the connection was refused'));
  return promise.finally(() => socket.destroy());
}
