import type { Journal } from './journal.ts';
import { readWaitingTexts } from './inbox.ts';
import { onChange } from './on-change.ts';

/**
 * Calls `stop` for an interrupting text that is posted from now on, by whatever process: one of this process is known at once, another's
 * stands in the store alone. What waits already is for the turn's own boundaries.
 */
export function watchInbox(journal: Journal, stop: () => void): Disposable {
  const { store, sessionId } = journal;
  const known = readWaitingTexts(journal).then(({ interrupts }) => new Set(interrupts.map(({ id }) => id)));
  const look = async () => {
    const before = await known;
    const { interrupts } = await readWaitingTexts(journal);
    if (interrupts.some(({ id }) => !before.has(id))) stop();
  };
  const watching = onChange(
    store,
    (change) => change.type === 'inbox' && change.sessionId === sessionId && change.mode === 'interrupt',
    // A store that cannot be read now is the turn's own trouble, and it is looked at again.
    () => void look().catch(() => undefined),
  );
  known.catch(() => watching[Symbol.dispose]());
  return watching;
}
