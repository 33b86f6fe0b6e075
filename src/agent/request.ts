import { createMarkKey } from '../base/fence.ts';
import { dropRewound, type Entry } from '../contracts/entry.ts';
import type { ContextEngine } from '../contracts/context-engine.ts';
import type { ModelRequest } from '../contracts/provider.ts';
import { joinSlots, type PromptEpoch } from '../contracts/prompt.ts';
import { withoutRefusedSignatures } from './signatures.ts';

/** What a request says besides the log. The ledger keeps it with every call. */
export type RequestExtras = Pick<ModelRequest, 'runtime' | 'adjust' | 'sampling' | 'toolUse' | 'cacheTtl'>;

/**
 * The request for a log: engines never see what was taken back. Nothing but the entries and the ask goes in, and always in this order, so the
 * bytes of request N stand again in request N+1, after a restart, and in `replay`.
 */
export function createModelRequest(log: readonly Entry[], ask: RequestExtras, context: ContextEngine): ModelRequest {
  const entries = dropRewound(log);
  const epoch = findCurrentEpoch(entries);
  if (epoch === undefined) throw new Error('a session without a prompt epoch cannot be sent to a model');
  return { ...ask, ...joinSlots(epoch.slots), tools: epoch.tools, messages: context.view(withoutRefusedSignatures(entries)) };
}

/** The prompt in force: one that was taken back is not. */
export const findCurrentEpoch = (log: readonly Entry[]): PromptEpoch | undefined => {
  const found = dropRewound(log).findLast((entry) => entry.type === 'epoch');
  return found?.type === 'epoch' ? found.epoch : undefined;
};

/** The key that the prompt in force told for marks in tool results; one that nobody was told where it told none. */
export function findMarkKey(log: readonly Entry[]): string {
  const epoch = findCurrentEpoch(log);
  return epoch?.markKey ?? readToldKey(epoch) ?? createMarkKey();
}

/** Prompts of earlier versions have the key in their words alone. */
const readToldKey = (epoch: PromptEpoch | undefined): string | undefined =>
  /^Session key: (?<key>[\da-f]{8})\./m.exec(epoch?.slots.find(({ name }) => name === 'scene')?.text ?? '')?.groups?.['key'];
