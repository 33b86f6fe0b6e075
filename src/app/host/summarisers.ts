import { messageOf } from '../../base/errors.ts';
import type { Summariser } from '../../contracts/complete.ts';
import type { ModelSelection } from '../../contracts/host.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import { apiModeOf } from '../../parts/providers/catalog/api-mode.ts';
import type { Line } from '../../parts/providers/completion.ts';
import { connect, routeFor } from '../../parts/providers/connect.ts';
import type { Config } from '../config.ts';
import type { Route, SharedParts } from './agent.ts';

/** Who may write a summary: the model the settings name for it, then the session's own. */
export async function openSummarisers(shared: SummariserParts, { runtime, connection }: Route): Promise<readonly Summariser[]> {
  const own = summariserOn(runtime, connection);
  const named = await auxiliary(shared, runtime);
  return named === undefined ? [own] : [named, own];
}

type SummariserParts = Pick<SharedParts, 'config' | 'env' | 'store' | 'transport' | 'guard' | 'notice'>;

/** A model that can be asked for notes. What it says of its own window holds for the rest of the run. */
export function summariserOn(runtime: Runtime, line: Line): Summariser {
  let { window } = runtime.limits;
  return {
    model: runtime.model,
    get window() {
      return window;
    },
    complete: async (ask) => {
      const { completeOn } = await import('../../parts/providers/completion.ts');
      return completeOn(runtime, line, (stated) => void (window = stated))(ask);
    },
  };
}

/** A model that cannot be reached costs its turn, not the session: the session's own model is asked next. */
async function auxiliary(
  { config, env, store, transport, guard, notice }: SummariserParts,
  runtime: Runtime,
): Promise<Summariser | undefined> {
  const { settings } = config;
  const model = settings['auxiliary.compression.model'];
  if (model === '') return undefined;
  const selection = { model, ...whereFor(settings, runtime) };
  try {
    // What is stated for the session's model says nothing about this one.
    const window = settings['auxiliary.compression.context_length'];
    const own = { ...config, settings: { ...settings, 'model.context_length': window } };
    const route = await routeFor({ selection, config: own, env, kept: undefined, store, notice });
    return summariserOn(route, guard(connect({ config: own, env, store, transport, runtime: route })));
  } catch (error) {
    return { model, window: runtime.limits.window, complete: async () => ({ ok: false, why: messageOf(error), model, hopeless: true }) };
  }
}

/** Names for "where the session is". */
const AS_SESSION: ReadonlySet<string> = new Set(['', 'auto', 'main']);

/** A server of its own, a provider by name, or else the place where the session's model is asked. */
function whereFor(settings: Config['settings'], { provider, baseUrl, protocol }: Runtime): Omit<ModelSelection, 'model'> {
  const [named, address] = [settings['auxiliary.compression.provider'], settings['auxiliary.compression.base_url']];
  if (address !== '') return { baseUrl: address, ...(!AS_SESSION.has(named) && { provider: named }) };
  return AS_SESSION.has(named) ? { provider, baseUrl, apiMode: apiModeOf(protocol) } : { provider: named };
}
