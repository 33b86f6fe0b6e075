import { joinTextBlocks, type TextBlock, type UserMessage } from '../contracts/message.ts';
import { isMessageEntry, type NewEntry, type SenderOrigin } from '../contracts/entry.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { Session } from '../contracts/session-store.ts';
import type { AgentDeps } from './deps.ts';
import { createEpochEntries, type NewEpoch } from './epoch.ts';
import type { Journal } from './journal.ts';
import { describeMove } from './place.ts';

interface OpeningDeps {
  readonly session: Session;
  readonly journal: Journal;
  readonly deps: AgentDeps;
  readonly runtime: Runtime;
}
interface OpeningOptions {
  readonly origin?: SenderOrigin;
  readonly overlay?: readonly TextBlock[];
  /** What the message repeats of earlier ones. */
  readonly quoted?: string;
  readonly signal: AbortSignal;
}

/** What a turn begins with in the log: a new prompt where one is needed, and the message with its sidecars and who sent it. */
export async function createOpeningEntries(
  { session, journal, deps, runtime }: OpeningDeps,
  message: UserMessage,
  { origin = 'user', quoted, ...beside }: OpeningOptions,
): Promise<NewEpoch> {
  const epoch = await createEpochEntries(session, journal.entries, deps, runtime);
  const layered = await deps.prompt.accompany?.({
    sessionId: session.id,
    text: joinTextBlocks(message),
    first: !journal.entries.some(isMessageEntry),
    ...beside,
  });
  const move = epoch.entries.length > 0 ? undefined : await describeMove(session, journal.entries, deps, runtime);
  const { beside: sidecars = [], before: wireBefore = [], notices = [] } = layered ?? {};
  const wireOnly = [...(move?.beside ?? []), ...sidecars];
  const entry: NewEntry = {
    type: 'message',
    origin,
    message,
    ...(quoted !== undefined && { quoted }),
    ...(wireOnly.length > 0 && { wireOnly }),
    ...(wireBefore.length > 0 && { wireBefore }),
    ...(move !== undefined && { place: move.place }),
  };
  return { entries: [...epoch.entries, entry], notices: [...epoch.notices, ...(move?.notices ?? []), ...notices] };
}
