import { messageOf } from '../base/errors.ts';
import type { Complete, Completion, Summariser } from '../contracts/complete.ts';
import { text, visibleText } from '../contracts/message.ts';
import type { ModelRequest } from '../contracts/provider.ts';
import { PLAIN, type Runtime } from '../contracts/runtime.ts';
import type { SessionStore } from '../contracts/session-store.ts';
import type { Config, Env } from './config.ts';
import { connect, routeFor, type Connection } from './models.ts';

interface Place {
  readonly config: Config;
  readonly env: Env;
  readonly store: SessionStore;
  readonly connection: Connection;
  readonly runtime: Runtime;
}

/** Who may write a summary: the model the settings name for it, then the session's own. */
export async function openSummarisers(place: Place): Promise<readonly Summariser[]> {
  const own = summariserOn(place.runtime, place.connection);
  const named = await auxiliary(place);
  return named === undefined ? [own] : [named, own];
}

const summariserOn = (runtime: Runtime, connection: Pick<Connection, 'provider' | 'price'>): Summariser => ({
  model: runtime.model,
  window: runtime.limits.window,
  complete: completeOn(runtime, connection),
});

/** A model that cannot be reached costs its turn, not the session: the session's own model is asked next. */
async function auxiliary({ config, env, store, runtime }: Place): Promise<Summariser | undefined> {
  const { settings } = config;
  const model = settings['auxiliary.compression.model'];
  if (model === '') return undefined;
  const [provider, baseUrl] = [settings['auxiliary.compression.provider'], settings['auxiliary.compression.base_url']];
  const flags = {
    model,
    ...(provider !== '' && provider !== 'auto' && provider !== 'main' && { provider }),
    ...(baseUrl !== '' && { baseUrl }),
  };
  try {
    // The window that is stated for the session's model says nothing about this one.
    const own = { ...config, settings: { ...settings, 'model.context_length': 0 } };
    const route = await routeFor({ flags, config: own, env, kept: undefined, store });
    return summariserOn(route, connect({ flags, config: own, env, store, runtime: route }));
  } catch (error) {
    return { model, window: runtime.limits.window, complete: async () => ({ ok: false, why: messageOf(error), model, hopeless: true }) };
  }
}

/** One question, no tools, no session. */
const completeOn =
  (runtime: Runtime, { provider, price }: Pick<Connection, 'provider' | 'price'>): Complete =>
  async ({ system, text: words, maxTokens, signal }): Promise<Completion> => {
    const request: ModelRequest = {
      runtime,
      adjust: { ...PLAIN, maxOutput: maxTokens },
      system,
      tools: [],
      toolUse: 'forbidden',
      messages: [{ message: { role: 'user', content: [text(words, 'owner')] } }],
      cacheTtl: 'off',
    };
    const { model } = runtime;
    const estimate = Math.ceil((system.length + words.length) / 4);
    for await (const event of provider.stream(provider.encode(request), { signal, estimate })) {
      if (event.type === 'failed')
        return { ok: false, why: `${event.failure.type}: ${event.failure.detail}`, model, hopeless: HOPELESS.has(event.failure.type) };
      if (event.type !== 'done') continue;
      const cost = price(runtime, event.usage);
      return { ok: true, text: visibleText(event.message), usage: event.usage, model, ...(cost !== undefined && { price: cost }) };
    }
    return { ok: false, why: 'the stream ended without a result', model, hopeless: false };
  };

/** Failures that asking again soon does not cure. */
const HOPELESS: ReadonlySet<string> = new Set(['unauthorized', 'forbidden', 'billing', 'model_not_found', 'endpoint_not_found']);
