import type { SideCalls } from '../agent/side-calls.ts';
import { messageOf } from '../base/errors.ts';
import type { Completion, CompletionAsk } from '../contracts/complete.ts';
import type { Ports, SightAsk } from '../contracts/ports.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { Config, Env } from './config.ts';
import { connect, routeFor, type Connection } from './models.ts';
import type { SessionStore } from '../contracts/session-store.ts';

export interface SidePlace {
  readonly config: Config;
  readonly env: Env;
  readonly store: SessionStore;
  readonly connection: Connection;
  readonly guard?: (connection: Connection) => Connection;
  readonly runtime: Runtime;
}

/** Models that tools may ask on the side: the session's own, or those the settings name for a task. What they cost is noted. */
export function openSidePorts(place: SidePlace, side: Pick<SideCalls, 'counted'>): Pick<Ports, 'complete' | 'see' | 'consult'> {
  const { runtime, connection } = place;
  const consult = side.counted(async ({ model, ...ask }: CompletionAsk & { readonly model: string }) => {
    const { completeOn } = await import('./completion.ts');
    return completeOn({ ...runtime, model }, connection, () => {})(ask);
  });
  return {
    consult: (model, system, text, signal) => consult({ model, system, text, signal, maxTokens: CONSULTED }),
    complete: side.counted(async (ask) => {
      const { completeOn } = await import('./completion.ts');
      const route = await routeOf('approval', place);
      return completeOn(route.runtime, route.connection, () => {})(ask);
    }),
    see: side.counted(async (ask: SightAsk): Promise<Completion> => {
      const { seeOn } = await import('./completion.ts');
      try {
        const route = await routeOf('vision', place);
        return await seeOn(route.runtime, route.connection)(ask);
      } catch (error) {
        return { ok: false, why: messageOf(error), model: place.runtime.model, hopeless: true };
      }
    }),
  };
}

/** Tokens another model may answer with. */
const CONSULTED = 8_000;

/** The model of the settings for a task (`auxiliary.TASK.model`), else the session's own. */
async function routeOf(task: 'approval' | 'vision', { config, env, store, connection, runtime, guard }: SidePlace) {
  const model = config.settings[`auxiliary.${task}.model`];
  if (model === '') return { runtime, connection };
  const provider = config.settings[`auxiliary.${task}.provider`];
  const flags = { model, provider: provider === '' || provider === 'auto' || provider === 'main' ? runtime.provider : provider };
  const route = await routeFor({ flags, config, env, kept: undefined, store });
  const line = connect({ flags, config, env, store, runtime: route });
  return { runtime: route, connection: guard?.(line) ?? line };
}
