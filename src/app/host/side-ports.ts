import type { SideCalls } from '../../agent/side-calls.ts';
import { messageOf } from '../../base/errors.ts';
import type { Completion, CompletionAsk } from '../../contracts/complete.ts';
import type { Ports, SightAsk } from '../../contracts/ports.ts';
import { connect, routeFor } from '../../parts/providers/connect.ts';
import type { Route, SharedParts } from './agent.ts';

/** Models that tools may ask on the side: the session's own, or those the settings name for a task. What they cost is noted. */
export function openSidePorts(
  shared: SharedParts,
  current: () => Route,
  side: Pick<SideCalls, 'counted'>,
): Pick<Ports, 'complete' | 'see' | 'consult'> {
  const consult = side.counted(async ({ model, ...ask }: CompletionAsk & { readonly model: string }) => {
    const { completeOn } = await import('../../parts/providers/completion.ts');
    const { runtime, connection } = current();
    return completeOn({ ...runtime, model }, connection, () => {})(ask);
  });
  return {
    consult: (model, system, text, signal) => consult({ model, system, text, signal, maxTokens: MAX_CONSULTED_TOKENS }),
    complete: side.counted(async (ask) => {
      const { completeOn } = await import('../../parts/providers/completion.ts');
      const { runtime, connection } = await routeOf('approval', shared, current());
      return completeOn(runtime, connection, () => {})(ask);
    }),
    see: side.counted(async (ask: SightAsk): Promise<Completion> => {
      const { seeOn } = await import('../../parts/providers/completion.ts');
      try {
        const { runtime, connection } = await routeOf('vision', shared, current());
        return await seeOn(runtime, connection)(ask);
      } catch (error) {
        return { ok: false, why: messageOf(error), model: current().runtime.model, hopeless: true };
      }
    }),
  };
}

/** Tokens another model may answer with. */
const MAX_CONSULTED_TOKENS = 8_000;

/** The model of the settings for a task (`auxiliary.TASK.model`), else the session's own. */
async function routeOf(
  task: 'approval' | 'vision',
  { config, env, store, transport, guard, notice }: SharedParts,
  own: Route,
): Promise<Route> {
  const model = config.settings[`auxiliary.${task}.model`];
  if (model === '') return own;
  const provider = config.settings[`auxiliary.${task}.provider`];
  const named = provider === '' || provider === 'auto' || provider === 'main' ? own.runtime.provider : provider;
  const runtime = await routeFor({ selection: { model, provider: named }, config, env, kept: undefined, store, notice });
  return { runtime, connection: guard(connect({ config, env, store, transport, runtime })) };
}
