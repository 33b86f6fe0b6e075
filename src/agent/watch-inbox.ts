import type { Journal } from './journal.ts';
import { readWaitingTexts } from './inbox.ts';

/** How often the inbox is looked at while a turn runs. */
const INBOX_MS = 100;

/**
 * Calls `stop` for an interrupting text that is posted from now on, by whatever process: one of this process is known at once, another's
 * stands in the store alone. What waits already is for the turn's own boundaries.
 */
export function watchInbox(journal: Journal, stop: () => void): Disposable {
  const known = readWaitingTexts(journal).then(({ interrupts }) => new Set(interrupts.map(({ id }) => id)));
  const look = async () => {
    const before = await known;
    const { interrupts } = await readWaitingTexts(journal);
    if (interrupts.some(({ id }) => !before.has(id))) stop();
  };
  // A store that cannot be read now is the turn's own trouble, and it is looked at again.
  const timer = setInterval(() => void look().catch(() => undefined), INBOX_MS).unref();
  known.catch(() => clearInterval(timer));
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
