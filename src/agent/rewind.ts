import { isMessageEntry, type Entry, type LogMessage } from '../contracts/entry.ts';
import type { AgentEvent } from '../contracts/event.ts';
import type { RewindResult, RewindTarget } from '../contracts/rewind.ts';
import type { Session } from '../contracts/session-store.ts';
import type { Toolkit } from '../contracts/tool.ts';
import type { Journal } from './journal.ts';
import { collectFileWork } from './artefacts.ts';

interface RewindDeps {
  readonly session: Session;
  readonly journal: Journal;
  readonly toolkit: Pick<Toolkit, 'forget'>;
}

/** Takes turns back, committed at once. No turn may be under way. */
export async function* rewindTurns(
  { session, journal, toolkit }: RewindDeps,
  target: RewindTarget,
): AsyncGenerator<AgentEvent, RewindResult> {
  const opening = openingAt(journal.entries, target);
  if (typeof opening === 'string') return { ok: false, why: opening };
  const toSeq = opening.seq - 1;
  const gone = journal.entries.filter(({ seq }) => seq > toSeq);
  const entries = await journal.commit({ append: [{ type: 'rewind', origin: 'user', toSeq }] });
  toolkit.forget?.(session.id);
  for (const entry of entries) yield { type: 'entry', entry };
  const turnIds = [...new Set(gone.flatMap(({ turnId }) => (turnId === undefined ? [] : [turnId])))];
  return { ok: true, toSeq, message: opening.message, turnIds, ...collectFileWork(gone, session.cwd) };
}

type UserEntry = LogMessage & { readonly message: { readonly role: 'user' } };

/** The message that is the first to go, or why there is none. */
function openingAt(entries: readonly Entry[], target: RewindTarget): UserEntry | string {
  const openings = openingsIn(entries);
  const [first] = openings;
  if (first === undefined) return 'no turn of this session is left to take back';
  if ('turns' in target) return target.turns >= 1 ? (openings.at(-Math.trunc(target.turns)) ?? first) : 'at least one turn has to be named';
  return (
    openings.find(({ seq }) => seq === target.toSeq + 1) ??
    `entry ${target.toSeq} is not right before a message that opened a turn and still stands`
  );
}

/** The messages that opened the turns of a log, oldest first. */
const openingsIn = (entries: readonly Entry[]): UserEntry[] => {
  const seen = new Set<string>();
  return entries.filter((entry): entry is UserEntry => {
    if (!isMessageEntry(entry) || entry.turnId === undefined || seen.has(entry.turnId)) return false;
    seen.add(entry.turnId);
    return entry.message.role === 'user';
  });
};
