import type { NewEntry } from '../contracts/entry.ts';
import { joinTextBlocks, type UserMessage } from '../contracts/message.ts';
import type { DismissalFate, InboxItem, NewInboxItem, SessionStore } from '../contracts/session-store.ts';
import { cleanContent } from './clean.ts';
import type { TurnDeps } from './deps.ts';
import type { FlushStop } from './flush-memory.ts';
import { commitIdle, findWriter, type Journal } from './journal.ts';
import { listOverlay } from './lateness.ts';
import { findMarkKey } from './request.ts';

/** What runs in this process, by session, and how a message stops it. */
export interface SessionStops {
  /** Turns that run. */
  readonly interrupts: Map<string, AbortController>;
  /** Sessions that are about to end: a message for one goes first. */
  readonly flushes: Map<string, AbortController>;
}
export const createStops = (): SessionStops => ({ interrupts: new Map(), flushes: new Map() });

/** Leaves a message for a session and stops what it is to stop here. */
export async function postTo(store: Pick<SessionStore, 'post'>, stops: SessionStops, item: NewInboxItem): Promise<InboxItem> {
  const posted = await store.post(item);
  stopFor(stops, item);
  return posted;
}

/** Stops what a message is to stop here, once it is there. */
export function stopFor({ interrupts, flushes }: SessionStops, { sessionId, mode }: Pick<NewInboxItem, 'sessionId' | 'mode'>): void {
  flushes.get(sessionId)?.abort('message' satisfies FlushStop);
  if (mode === 'interrupt') interrupts.get(sessionId)?.abort('interrupted');
}

type InboxStore = Pick<SessionStore, 'waiting' | 'claim' | 'commit' | 'release'>;

/** Ends the wait of a message that no turn will take, also beside a turn of this process. Says whether it still waited. */
export async function dismissMessage(store: InboxStore, sessionId: string, id: string, fate: DismissalFate): Promise<boolean> {
  const waits = (await store.waiting(sessionId)).some((item) => item.id === id);
  const writer = findWriter(store, sessionId);
  if (!waits || writer?.taken.has(id) === true) return false;
  const change = { fates: [{ id, fate }] };
  if (writer === undefined) return commitIdle(store, sessionId, change);
  takeTexts(writer, [{ id }]);
  await writer.commit(change);
  return true;
}

/** Messages that wait and that nothing is about to take, oldest first. */
export const readUntaken = async ({ store, sessionId, taken }: Journal): Promise<readonly InboxItem[]> =>
  (await store.waiting(sessionId)).filter(({ id }) => !taken.has(id));

/** Keeps messages from everything else until their fate is written. To be called in the same tick as they were read. */
export const takeTexts = ({ taken }: Journal, items: readonly Pick<InboxItem, 'id'>[]): void => {
  for (const { id } of items) taken.add(id);
};

/** What arrived while the turn ran: messages to take in, and those that ask the turn to stop (another process may have left them). */
export async function readWaitingTexts(
  journal: Journal,
): Promise<{ readonly steers: readonly InboxItem[]; readonly interrupts: readonly InboxItem[] }> {
  const waiting = await readUntaken(journal);
  return { steers: waiting.filter((item) => item.mode === 'steer'), interrupts: waiting.filter((item) => item.mode === 'interrupt') };
}

/** A stop without words, which another process left: it ends the turn and opens none. */
export const isBareStop = ({ mode, content }: InboxItem): boolean => mode === 'interrupt' && content.length === 0;

interface SteerEntry {
  readonly entry: NewEntry;
  /** For the owner: what was left out beside it. */
  readonly notices: readonly string[];
}
type SteerDeps = Pick<TurnDeps, 'prompt' | 'journal' | 'clock' | 'signal'>;

/** All waiting steers as one user message: roles keep alternating however many there are, and each block keeps its own label. */
export async function createSteerEntry(items: readonly InboxItem[], { prompt, journal, clock, signal }: SteerDeps): Promise<SteerEntry> {
  const markKey = findMarkKey(journal.entries);
  const message: UserMessage = { role: 'user', content: items.flatMap(({ content }) => cleanContent(content, markKey)) };
  const { beside = [], notices = [] } =
    (await prompt.accompany?.({
      sessionId: journal.sessionId,
      text: joinTextBlocks(message),
      first: false,
      joins: true,
      overlay: items.flatMap((item) => listOverlay(item, clock.now())),
      signal,
    })) ?? {};
  const quoted = items.flatMap((item) => item.quoted ?? []).join('\n\n');
  const entry: NewEntry = {
    type: 'message',
    origin: 'steer',
    message,
    ...(quoted !== '' && { quoted }),
    ...(beside.length > 0 && { wireOnly: beside }),
  };
  return { entry, notices };
}
