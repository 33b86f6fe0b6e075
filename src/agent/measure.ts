import type { ContextMeasure } from '../contracts/aside.ts';
import type { ContextEngine } from '../contracts/context-engine.ts';
import { dropRewound } from '../contracts/entry.ts';
import { joinSlots } from '../contracts/prompt.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { SessionStore } from '../contracts/session-store.ts';
import { isAnswered, isOwnRequest } from './attribution.ts';
import { countPrompt, toCalibration } from './gauge.ts';
import { findCurrentEpoch } from './request.ts';

/** How the window of a session is used as its log stands; nothing is written and nobody is waited for. */
export async function measureContext(
  store: Pick<SessionStore, 'entries' | 'calls'>,
  sessionId: string,
  { context, runtime }: { readonly context: ContextEngine; readonly runtime: Runtime },
): Promise<ContextMeasure> {
  const entries = dropRewound(await store.entries(sessionId));
  const epoch = findCurrentEpoch(entries);
  const { system } = joinSlots(epoch?.slots ?? []);
  const view = context.view(entries);
  const counted = (await store.calls({ sessionId })).findLast(
    (call) => call.runtime.model === runtime.model && isAnswered(call) && isOwnRequest(call) && call.estimate > 0 && countPrompt(call) > 0,
  );
  const ratio = counted === undefined ? 1 : toCalibration(counted);
  const estimate = (part: Partial<Parameters<ContextEngine['estimate']>[0]>) =>
    Math.ceil(context.estimate({ system: '', tools: [], view: [], ...part }) * ratio);
  const { window, maxOutput } = runtime.limits;
  return {
    window,
    system: estimate({ system }),
    tools: estimate({ tools: epoch?.tools ?? [] }),
    messages: estimate({ view }),
    messageCount: view.length,
    ...(maxOutput !== undefined && { maxOutput }),
  };
}
