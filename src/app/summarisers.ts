import { messageOf } from '../base/errors.ts';
import type { Summariser } from '../contracts/complete.ts';
import type { ProtocolId, Runtime } from '../contracts/runtime.ts';
import type { ModelFlags } from '../faces/cli/verbs.ts';
import type { Line } from './completion.ts';
import type { Config } from './config.ts';
import { connect, routeFor, type Connection } from './models.ts';
import type { SidePlace } from './side-ports.ts';

/** Who may write a summary: the model the settings name for it, then the session's own. */
export async function openSummarisers(place: SidePlace): Promise<readonly Summariser[]> {
  const own = summariserOn(place.runtime, place.connection);
  const named = await auxiliary(place);
  return named === undefined ? [own] : [named, own];
}

/** A model that can be asked for notes. What it says of its own window holds for the rest of the run. */
export function summariserOn(runtime: Runtime, line: Line): Summariser {
  let { window } = runtime.limits;
  return {
    model: runtime.model,
    get window() {
      return window;
    },
    complete: async (ask) => {
      const { completeOn } = await import('./completion.ts');
      return completeOn(runtime, line, (stated) => void (window = stated))(ask);
    },
  };
}

/** A model that cannot be reached costs its turn, not the session: the session's own model is asked next. */
async function auxiliary({ config, env, store, runtime, guard = unchanged }: SidePlace): Promise<Summariser | undefined> {
  const { settings } = config;
  const model = settings['auxiliary.compression.model'];
  if (model === '') return undefined;
  const flags = { model, ...whereFor(settings, runtime) };
  try {
    // What is stated for the session's model says nothing about this one.
    const window = settings['auxiliary.compression.context_length'];
    const own = { ...config, settings: { ...settings, 'model.context_length': window } };
    const route = await routeFor({ flags, config: own, env, kept: undefined, store });
    return summariserOn(route, guard(connect({ flags, config: own, env, store, runtime: route })));
  } catch (error) {
    return { model, window: runtime.limits.window, complete: async () => ({ ok: false, why: messageOf(error), model, hopeless: true }) };
  }
}

const unchanged = (connection: Connection): Connection => connection;

/** Names for "where the session is". */
const AS_SESSION: ReadonlySet<string> = new Set(['', 'auto', 'main']);

/** A server of its own, a provider by name, or else the place where the session's model is asked. */
function whereFor(settings: Config['settings'], { provider, baseUrl, protocol }: Runtime): Omit<ModelFlags, 'model'> {
  const [named, address] = [settings['auxiliary.compression.provider'], settings['auxiliary.compression.base_url']];
  if (address !== '') return { baseUrl: address, ...(!AS_SESSION.has(named) && { provider: named }) };
  return AS_SESSION.has(named) ? { provider, baseUrl, apiMode: MODES[protocol] } : { provider: named };
}

/** The name of each wire on the command line. */
const MODES: Readonly<Record<ProtocolId, NonNullable<ModelFlags['apiMode']>>> = {
  'openai-chat': 'chat_completions',
  'anthropic-messages': 'anthropic_messages',
  'openai-responses': 'responses',
};
