import type { Entry, NewEntry } from '../contracts/entry.ts';
import { isMessageEntry } from '../contracts/entry.ts';
import { createTextBlock } from '../contracts/message.ts';

/** An assistant turn without words, so that roles alternate and no message that was sent once is sent with other bytes. */
export const SILENCE: NewEntry = { type: 'message', origin: 'nudge', message: { role: 'assistant', content: [] } };

/**
 * A text of ours for the model. Where the last message already went out in a request, or is a user's, silence stands
 * between: joining the two would change bytes the provider has cached.
 */
export function createNudgeEntries(entries: readonly Entry[], words: string, sent = false): NewEntry[] {
  const last = entries.findLast(isMessageEntry)?.message.role;
  const ask: NewEntry = { type: 'message', origin: 'nudge', message: { role: 'user', content: [createTextBlock(words, 'owner')] } };
  return last === 'user' || (last === 'tool' && sent) ? [SILENCE, ask] : [ask];
}
