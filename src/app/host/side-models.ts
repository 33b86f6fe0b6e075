import type { CompleteText, Completion, CompletionRequest } from '../../contracts/complete.ts';
import type { CompletionRoute } from '../../parts/providers/completion.ts';
import type { Embed } from '../../contracts/embed.ts';
import type { MemoryProviderOptions } from '../../contracts/memory-provider.ts';
import type { ModelSelection } from '../../contracts/host.ts';
import type { Ports, VisionRequest } from '../../contracts/ports.ts';
import { toRouteKey, type Runtime } from '../../contracts/runtime.ts';
import type { SideCalls } from '../../agent/side-calls.ts';
import type { Summariser } from '../../contracts/complete.ts';
import { toApiMode } from '../../parts/providers/catalog/api-mode.ts';
import { toErrorMessage } from '../../base/errors.ts';
import { lazy } from '../../base/lazy.ts';
import { findCheapModel } from '../../parts/providers/cheap-model.ts';
import { connect, connectEmbedding, resolveRoute } from '../../parts/providers/connect.ts';
import { addThinkingRoom } from '../../parts/providers/thinking-room.ts';
import type { ModelRoute, SharedParts } from '../tools/home-parts.ts';

/** Models that tools may ask on the side: the session's own, or those the settings name for a task. What they cost is noted. */
export function openSidePorts(
  shared: SharedParts,
  current: () => ModelRoute,
  side: Pick<SideCalls, 'counted'>,
): Pick<Ports, 'complete' | 'see' | 'consult'> {
  const consult = side.counted(async ({ model, ...ask }: CompletionRequest & { readonly model: string }) => {
    const { createCompleter } = await import('../../parts/providers/completion.ts');
    const { runtime, connection } = current();
    return createCompleter({ ...runtime, model }, connection, () => {})(ask);
  });
  return {
    consult: (model, system, text, signal) => consult({ model, system, text, signal, maxTokens: MAX_CONSULTED_TOKENS }),
    complete: side.counted(async (ask) => {
      const { createCompleter } = await import('../../parts/providers/completion.ts');
      const { runtime, connection } = await routeOf('approval', shared, current());
      return createCompleter(runtime, connection, () => {})(ask);
    }),
    see: side.counted(async (ask: VisionRequest): Promise<Completion> => {
      const { createImageAnalyzer } = await import('../../parts/providers/completion.ts');
      try {
        const { runtime, connection } = await routeOf('vision', shared, current());
        return await createImageAnalyzer(runtime, connection)(ask);
      } catch (error) {
        return { ok: false, why: toErrorMessage(error), model: current().runtime.model, hopeless: true };
      }
    }),
  };
}

/** The model that names sessions, when the settings name one and no budget has to be kept. */
export function findTitleModel(shared: SharedParts, own: ModelRoute): CompleteText | undefined {
  const { settings } = shared.config;
  if (settings['auxiliary.title_generation.model'] === '' || settings['agent.budget_tokens'] > 0 || settings['agent.budget_usd'] > 0)
    return undefined;
  return async (ask) => {
    const { createCompleter } = await import('../../parts/providers/completion.ts');
    const { runtime, connection } = await routeOf('title_generation', shared, own);
    return createCompleter(runtime, connection, () => {})(ask);
  };
}

/** Tokens another model may answer with. */
const MAX_CONSULTED_TOKENS = 8_000;

/** The model of the settings for a task (`auxiliary.TASK.model`), else the session's own. */
async function routeOf(
  task: 'approval' | 'vision' | 'title_generation',
  { config, env, store, transport, guard, notice, registered: { providers } }: SharedParts,
  own: ModelRoute,
): Promise<ModelRoute> {
  const model = config.settings[`auxiliary.${task}.model`];
  if (model === '') return own;
  const provider = config.settings[`auxiliary.${task}.provider`];
  const selection = { model, ...(AS_SESSION.has(provider) ? placeOf(own.runtime) : { provider }) };
  const runtime = await resolveRoute({ selection, config, env, kept: undefined, store, notice, providers });
  return { runtime, connection: guard(connect({ config, env, store, transport, runtime, providers })) };
}

/** Who may write a summary: the model the settings name for it, or a cheap one of the same provider, then the session's own, by the route and the key the turn has come to. */
export async function openSummarisers(
  shared: SummariserParts,
  { runtime, connection }: ModelRoute,
): Promise<(today: Runtime) => readonly Summariser[]> {
  const own = createSummariserFactory(connection);
  const named = await auxiliary(shared, runtime);
  const { config, registered } = shared;
  const cheap = (today: Runtime): Runtime | undefined =>
    isOwnSummaryModel(config.settings) ? undefined : findCheapModel(today, registered.providers.get(today.provider));
  return (today) => {
    const first = named === undefined ? cheap(today) : undefined;
    return [...(named === undefined ? [] : [named(today)]), ...(first === undefined ? [] : [own(first)]), own(today)];
  };
}

/** `main` writes summaries with the session's own model, whatever it costs. */
const isOwnSummaryModel = (settings: SharedParts['config']['settings']): boolean => settings['auxiliary.compression.model'] === 'main';

type SummariserParts = Pick<SharedParts, 'config' | 'env' | 'store' | 'transport' | 'guard' | 'notice' | 'registered'>;

/** A model that can be asked for notes, by its route. What a route says of its own window holds for the rest of the run. */
export function createSummariserFactory(line: CompletionRoute): (runtime: Runtime) => Summariser {
  const windows = new Map<string, number>();
  return (runtime) => ({
    model: runtime.model,
    get window() {
      return windows.get(toRouteKey(runtime)) ?? runtime.limits.window;
    },
    cost: (usage) => line.price(runtime, usage),
    outputFor: ({ maxTokens }) => addThinkingRoom(maxTokens, runtime),
    complete: async (ask) => {
      const { createCompleter } = await import('../../parts/providers/completion.ts');
      return createCompleter(runtime, line, (stated) => void windows.set(toRouteKey(runtime), stated))(ask);
    },
  });
}

/** A model that cannot be reached costs its turn, not the session: the session's own model is asked next. */
async function auxiliary(
  { config, env, store, transport, guard, notice, registered: { providers } }: SummariserParts,
  runtime: Runtime,
): Promise<((today: Runtime) => Summariser) | undefined> {
  const { settings } = config;
  const model = settings['auxiliary.compression.model'];
  if (model === '' || isOwnSummaryModel(settings)) return undefined;
  const where = { named: settings['auxiliary.compression.provider'], address: settings['auxiliary.compression.base_url'] };
  const selection = { model, ...whereFor(where, runtime) };
  try {
    // What is stated for the session's model says nothing about this one.
    const window = settings['auxiliary.compression.context_length'];
    const own = { ...config, settings: { ...settings, 'model.context_length': window } };
    const route = await resolveRoute({ selection, config: own, env, kept: undefined, store, notice, providers });
    const on = createSummariserFactory(guard(connect({ config: own, env, store, transport, runtime: route, providers })));
    // Beside the session's own model it goes with the session's key, which may have changed since.
    const beside = (today: Runtime) => today.provider === route.provider && today.baseUrl === route.baseUrl;
    return (today) => on(beside(today) ? { ...route, credential: today.credential } : route);
  } catch (error) {
    const why = toErrorMessage(error);
    return () => ({ model, window: runtime.limits.window, complete: async () => ({ ok: false, why, model, hopeless: true }) });
  }
}

/** Models for a memory that belongs to no session: the one that writes facts down, and the one that tells likeness, where the settings name them. */
export function openMemoryModels(shared: SummariserParts & EmbedParts): Pick<MemoryProviderOptions, 'complete' | 'embed'> {
  const { config, env, store, transport, guard, notice, registered } = shared;
  const { providers } = registered;
  const { 'auxiliary.memory.model': model, 'auxiliary.memory.provider': named } = config.settings;
  const resolve = (selection: ModelSelection) => resolveRoute({ selection, config, env, kept: undefined, store, notice, providers });
  const main = lazy(() => resolve({}));
  const embed = openEmbed(shared, main);
  const route = lazy(async () => {
    const runtime = await resolve({ model, ...(AS_SESSION.has(named) ? placeOf(await main()) : { provider: named }) });
    return { runtime, connection: guard(connect({ config, env, store, transport, runtime, providers })) };
  });
  const complete: CompleteText = async (ask) => {
    try {
      const { createCompleter } = await import('../../parts/providers/completion.ts');
      const { runtime, connection } = await route();
      return await createCompleter(runtime, connection, () => {})(ask);
    } catch (error) {
      return { ok: false, why: toErrorMessage(error), model, hopeless: true };
    }
  };
  return { ...(embed !== undefined && { embed }), ...(model !== '' && { complete }) };
}

/** Who tells likeness of meaning, when the settings name a model for it. Secrets leave no text it is given. */
export function openEmbed(shared: EmbedParts, own: () => Runtime | Promise<Runtime>): Embed | undefined {
  const { config, env, store, transport, notice, registered, secrets } = shared;
  const { settings } = config;
  const model = settings['auxiliary.embedding.model'];
  if (model === '') return undefined;
  const opened = lazy(async () => {
    const where = { named: settings['auxiliary.embedding.provider'], address: settings['auxiliary.embedding.base_url'] };
    // Nobody needs to know how much it can read at once, so no server is asked for that.
    const routed = { ...config, settings: { ...settings, 'model.context_length': EMBEDDING_WINDOW } };
    const { providers } = registered;
    const runtime = await resolveRoute({
      selection: { model, ...whereFor(where, await own()) },
      config: routed,
      env,
      kept: undefined,
      store,
      notice,
      providers,
    });
    return connectEmbedding({ config, env, transport, runtime, providers });
  });
  return async (texts, signal) => {
    try {
      const embed = await opened();
      return await embed(
        texts.map((text) => secrets?.redact(text) ?? text),
        signal,
      );
    } catch (error) {
      return { ok: false, why: toErrorMessage(error) };
    }
  };
}
type EmbedParts = Pick<SharedParts, 'config' | 'env' | 'store' | 'transport' | 'notice' | 'registered' | 'secrets'>;
const EMBEDDING_WINDOW = 8_192;

/** Names for "where the session is". */
const AS_SESSION: ReadonlySet<string> = new Set(['', 'auto', 'main']);

/** A server of its own, a provider by name, or else the place where the session's model is asked. */
function whereFor(
  { named, address }: { readonly named: string; readonly address: string },
  runtime: Runtime,
): Omit<ModelSelection, 'model'> {
  if (address !== '') return { baseUrl: address, ...(!AS_SESSION.has(named) && { provider: named }) };
  return AS_SESSION.has(named) ? placeOf(runtime) : { provider: named };
}

/** Where the session's own model is asked. */
const placeOf = ({ provider, baseUrl, protocol }: Runtime): Omit<ModelSelection, 'model'> => ({
  provider,
  baseUrl,
  apiMode: toApiMode(protocol),
});
