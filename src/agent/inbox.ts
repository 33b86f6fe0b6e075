import type { NewEntry } from '../contracts/entry.ts';
import { text } from '../contracts/message.ts';
import type { InboxItem } from '../contracts/session-store.ts';
import { cleanInput } from './clean.ts';
import type { Journal } from './journal.ts';

/** Texts meant for the turn that is running, oldest first. */
export const waitingSteers = async (journal: Journal): Promise<readonly InboxItem[]> => (await waitingTexts(journal)).steers;

/** What arrived while the turn ran: texts to take in, and whether one of them asks the turn to stop (another process may have left it). */
export async function waitingTexts(journal: Journal): Promise<{ readonly steers: readonly InboxItem[]; readonly interrupted: boolean }> {
  const waiting = await journal.store.waiting(journal.sessionId);
  return { steers: waiting.filter((item) => item.mode === 'steer'), interrupted: waiting.some((item) => item.mode === 'interrupt') };
}

/** All waiting steers as one user message: roles keep alternating however many there are. */
export const steerEntry = (items: readonly InboxItem[]): NewEntry => ({
  type: 'message',
  origin: 'steer',
  message: { role: 'user', content: items.map((item) => text(cleanInput(item.text), 'owner')) },
});
