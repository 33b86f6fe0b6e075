import { UsageError } from '../base/errors.ts';
import { isObject, stringAt } from '../base/json.ts';
import type { Usage } from '../contracts/message.ts';
import type { PromptEpoch } from '../contracts/prompt.ts';
import type { Provider } from '../contracts/provider.ts';
import type { Routes } from '../contracts/routes.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { SessionStore } from '../contracts/session-store.ts';
import type { ModelFlags } from '../faces/cli/verbs.ts';
import { apiKeyAuth } from '../parts/providers/auth/api-key.ts';
import { profileOf } from '../parts/providers/catalog/all.ts';
import { createProvider } from '../parts/providers/client.ts';
import { deadlinesFor } from '../parts/providers/deadlines.ts';
import { resolveRuntime, type ModelFacts, type Wish } from '../parts/providers/resolve.ts';
import { createRoutes } from '../parts/providers/routes.ts';
import { httpSse } from '../parts/providers/transports/http-sse.ts';
import { wireFormats } from '../parts/providers/wire-format.ts';
import type { Config, Env } from './config.ts';

export interface RouteQuestion {
  readonly flags: ModelFlags;
  readonly config: Config;
  readonly env: Env;
  /** The prompt a resumed session was started with: its model stays unless a flag names another. */
  readonly kept: PromptEpoch | undefined;
}

/** The route of this run: flags, then the session's own model, then settings, then whatever key is there. */
export async function routeFor({ flags, config, env, kept }: RouteQuestion): Promise<Runtime> {
  const runtime = resolveRuntime(wishOf(flags, config, kept), env, FACTS);
  if (runtime === undefined) {
    throw new UsageError('no model is connected yet. Set one key, for example: export OPENROUTER_API_KEY=…   then: hermes chat -q "hello"   (or name a server: --base-url http://127.0.0.1:11434/v1 -m MODEL)');
  }
  return runtime;
}

function wishOf(flags: ModelFlags, { settings }: Config, kept: PromptEpoch | undefined): Wish {
  const keptProvider = flags.provider === undefined && flags.baseUrl === undefined && settings['model.base_url'] === '' ? kept?.provider : undefined;
  return {
    provider: flags.provider ?? (flags.baseUrl === undefined ? (keptProvider ?? settings['model.provider']) : 'auto'),
    model: flags.model ?? kept?.model ?? settings['model.default'],
    baseUrl: flags.baseUrl ?? settings['model.base_url'],
    apiMode: flags.apiMode ?? settings['model.api_mode'],
    contextLength: settings['model.context_length'],
    maxTokens: settings['model.max_tokens'],
  };
}

const FACTS: ModelFacts = { window: () => undefined, maxOutput: () => undefined };

export interface Connection {
  readonly provider: Provider;
  readonly routes: Routes;
  price(runtime: Runtime, usage: Usage): number | undefined;
}

export function connect({ config, env, store, runtime }: Omit<RouteQuestion, 'kept'> & { readonly store: SessionStore; readonly runtime: Runtime }): Connection {
  const auth = apiKeyAuth({
    profileOf,
    secret: (credential) => env[credential],
    // The route of this run and those of the fallback chain are what the owner named.
    owned: (provider) => [runtime, ...chainOf(config, env)].flatMap((route) => (route.provider === provider ? [route.baseUrl] : [])),
  });
  const provider = createProvider({
    formatOf: wireFormats(profileOf),
    transport: httpSse(),
    auth,
    deadlinesOf: (route) => deadlinesFor(route, config.settings),
  });
  const chain = chainOf(config, env).map((route) => () => route);
  return { provider, routes: createRoutes({ auth, pool: { next: () => undefined, rest: () => {} }, chain, facts: store }), price: () => undefined };
}

/** The fallback chain as routes; a row that cannot be resolved is a mistake worth telling at once. */
function chainOf(config: Config, env: Env): Runtime[] {
  return config.settings.fallback_providers.flatMap((row, index) => {
    if (!isObject(row)) throw new UsageError(`fallback_providers[${index}] must be a table with provider and model.`);
    const wish: Wish = {
      provider: stringAt(row, 'provider') ?? 'auto',
      model: stringAt(row, 'model') ?? '',
      baseUrl: stringAt(row, 'base_url') ?? '',
      apiMode: stringAt(row, 'api_mode') ?? 'auto',
      contextLength: 0,
      maxTokens: 0,
      ...(stringAt(row, 'key_env') !== undefined && { keyEnv: stringAt(row, 'key_env') ?? '' }),
    };
    const route = resolveRuntime(wish, env, FACTS);
    return route === undefined ? [] : [route];
  });
}
