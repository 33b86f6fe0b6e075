import type { NewEntry } from '../contracts/entry.ts';
import { besideMessage } from '../contracts/prompt.ts';
import type { InboxItem } from '../contracts/session-store.ts';
import { cleanContent } from './clean.ts';
import type { Journal } from './journal.ts';

/** Messages meant for the turn that is running, oldest first. */
export const waitingSteers = async (journal: Journal): Promise<readonly InboxItem[]> => (await waitingTexts(journal)).steers;

/** What arrived while the turn ran: messages to take in, and whether one of them asks the turn to stop (another process may have left it). */
export async function waitingTexts(journal: Journal): Promise<{ readonly steers: readonly InboxItem[]; readonly interrupted: boolean }> {
  const waiting = await journal.store.waiting(journal.sessionId);
  return { steers: waiting.filter((item) => item.mode === 'steer'), interrupted: waiting.some((item) => item.mode === 'interrupt') };
}

/** All waiting steers as one user message: roles keep alternating however many there are, and each block keeps its own label. */
export function steerEntry(items: readonly InboxItem[]): NewEntry {
  const wireOnly = besideMessage(items.flatMap(({ overlay = [] }) => overlay));
  return {
    type: 'message',
    origin: 'steer',
    message: { role: 'user', content: items.flatMap(({ content }) => cleanContent(content)) },
    ...(wireOnly.length > 0 && { wireOnly }),
  };
}
