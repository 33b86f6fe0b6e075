import type { SideCalls } from '../agent/side-calls.ts';
import { messageOf } from '../base/errors.ts';
import type { Completion } from '../contracts/complete.ts';
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
export function openSidePorts(place: SidePlace, side: Pick<SideCalls, 'counted'>): Pick<Ports, 'complete' | 'see'> {
  return {
    complete: side.counted(async (ask) => {
      const { completeOn } = await import('./completion.ts');
      const { runtime, connection } = await routeOf('approval', place);
      return completeOn(runtime, connection, () => {})(ask);
    }),
    see: side.counted(async (ask: SightAsk): Promise<Completion> => {
      const { seeOn } = await import('./completion.ts');
      try {
        const { runtime, connection } = await routeOf('vision', place);
        return await seeOn(runtime, connection)(ask);
      } catch (error) {
        return { ok: false, why: messageOf(error), model: place.runtime.model, hopeless: true };
      }
    }),
  };
}

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
