import { UsageError } from '../../base/errors.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import { describeWindowIncrease, fetchLocalWindow, probeLocal, SMALL_WINDOW, type LocalModel, type LocalServer } from './local.ts';
import { describeUnsupportedTokens } from './catalog/unsupported.ts';
import type { RouteSelection } from './resolve.ts';
import { createRouteMemory, type FactStore } from './routes.ts';
import type { Env } from '../../base/env.ts';

export interface LocalRouteOptions {
  readonly env: Env;
  readonly store?: FactStore | undefined;
  /** Something the person should know beside the answer. */
  readonly notice: (words: string) => void;
}

/** With nothing configured: the one model server on this machine, said aloud, or words that name the exact next step. */
export async function findLocal(
  selection: RouteSelection,
  { env, notice }: LocalRouteOptions,
  servers = probeLocal(env),
): Promise<RouteSelection> {
  const all = await servers;
  const able = all.filter(({ models }) => (selection.model === '' ? models.length > 0 : models.some(({ id }) => id === selection.model)));
  const [server, second] = able;
  if (server === undefined || second !== undefined)
    throw new UsageError([nextStep(selection, all), ...describeUnsupportedTokens(env)].join(' '));
  const model = selection.model === '' ? pick(server.models) : server.models.find(({ id }) => id === selection.model);
  if (model === undefined) throw new UsageError(nextStep(selection, all));
  const lasting = `hermes config set model.provider ${server.provider} && hermes config set model.default ${model.id}`;
  notice(`no model is configured, so Hermes uses ${model.id} of ${server.provider} at ${server.baseUrl}. To keep it: ${lasting}`);
  return { ...selection, provider: server.provider, baseUrl: server.baseUrl, model: model.id };
}

/** The one that is loaded already, when there is exactly one: any other would have to be loaded first. */
function pick(models: readonly LocalModel[]): LocalModel | undefined {
  const loaded = models.filter((model) => model.loaded === true);
  return loaded.length === 1 ? loaded[0] : models[0];
}

const NO_SERVER =
  'no model is configured, and no model server was found on this machine (Ollama, LM Studio, llama.cpp, vLLM). To connect one: hermes setup. Or set a key: hermes config set OPENROUTER_API_KEY --secret.';

function nextStep(selection: RouteSelection, servers: readonly LocalServer[]): string {
  if (servers.length === 0) return NO_SERVER;
  const found = servers.map(({ provider, baseUrl, models }) => `${provider} at ${baseUrl} (${listed(models)})`).join('; ');
  const [first] = servers.filter(({ models }) => models.length > 0);
  if (first === undefined) return `no model is available. Found ${found}. Install a model, for example: ollama pull qwen3`;
  const which = selection.model === '' ? 'more than one model server answers' : `no single server on this machine has ${selection.model}`;
  return `no model is chosen and ${which}. Found ${found}. Name one: hermes chat --provider ${first.provider} -m ${first.models[0]?.id ?? 'MODEL'} -q "hello"`;
}

const SHOWN = 5;
const listed = (models: readonly LocalModel[]): string =>
  models.length === 0
    ? 'no model'
    : `${models
        .slice(0, SHOWN)
        .map(({ id }) => id)
        .join(', ')}${models.length > SHOWN ? `, … ${models.length} in all` : ''}`;

/**
 * The window a local server really gives: what the model could take is often many times more. Asked in every run, because its owner may
 * change it between two; remembered for the runs in which the server is too slow to say.
 */
export async function withTrueWindow(runtime: Runtime, { store, notice }: LocalRouteOptions): Promise<Runtime> {
  const window = await fetchLocalWindow(runtime);
  if (window === undefined) return runtime;
  const memory = store && createRouteMemory(store);
  const known = (await memory?.learnt(runtime))?.window;
  if (known !== window) {
    await memory?.learn(runtime, { window });
    if (window < SMALL_WINDOW)
      notice(
        `${runtime.model} has a context window of only ${window} tokens on this server. Longer tasks need ${SMALL_WINDOW} or more. To raise it: ${describeWindowIncrease(runtime)}`,
      );
  }
  return { ...runtime, limits: { ...runtime.limits, window, reported: true } };
}
