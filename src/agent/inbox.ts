import type { NewEntry } from '../contracts/entry.ts';
import { besideMessage } from '../contracts/prompt.ts';
import type { InboxItem } from '../contracts/session-store.ts';
import { cleanContent } from './clean.ts';
import type { Journal } from './journal.ts';

/** Messages meant for the turn that is running, oldest first. */
export const waitingSteers = async (journal: Journal): Promise<readonly InboxItem[]> => (await waitingTexts(journal)).steers;

/** What arrived while the turn ran: messages to take in, and those that ask the turn to stop (another process may have left them). */
export async function waitingTexts(
  journal: Journal,
): Promise<{ readonly steers: readonly InboxItem[]; readonly interrupts: readonly InboxItem[] }> {
  const waiting = await journal.store.waiting(journal.sessionId);
  return { steers: waiting.filter((item) => item.mode === 'steer'), interrupts: waiting.filter((item) => item.mode === 'interrupt') };
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
