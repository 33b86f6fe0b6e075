import type { Entry } from '../contracts/entry.ts';
import type { ContextEngine } from '../contracts/context-engine.ts';
import type { ModelRequest } from '../contracts/provider.ts';
import { systemText, type PromptEpoch } from '../contracts/prompt.ts';

/** What a request says besides the log. The ledger keeps it with every call. */
export type Ask = Pick<ModelRequest, 'runtime' | 'adjust' | 'sampling' | 'toolUse' | 'cacheTtl'>;

/**
 * The request for the log as it stands. Nothing but the entries and the ask goes in, and always in this order, so the
 * bytes of request N stand again in request N+1, after a restart, and in `replay`.
 */
export function requestFor(entries: readonly Entry[], ask: Ask, context: ContextEngine): ModelRequest {
  const epoch = currentEpoch(entries);
  if (epoch === undefined) throw new Error('a session without a prompt epoch cannot be sent to a model');
  return { ...ask, system: systemText(epoch.slots), tools: epoch.tools, messages: context.view(entries) };
}

export const currentEpoch = (entries: readonly Entry[]): PromptEpoch | undefined => {
  const found = entries.findLast((entry) => entry.type === 'epoch');
  return found?.type === 'epoch' ? found.epoch : undefined;
};
