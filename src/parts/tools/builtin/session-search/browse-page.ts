import type { Session } from '../../../../contracts/session-store.ts';
import { formatSessionFacts, formatSessionTitle } from './draw.ts';
import { sortAttendedFirst } from './lineage.ts';
import { formatCall, joinLines, type SessionPage } from './page.ts';

/** The newest sessions of their own; those that worked for another are found through it. */
export function renderBrowsePage(newest: readonly Session[], running: string, limit: number): SessionPage {
  const own = newest.filter((session) => session.id !== running && session.parent?.kind !== 'child');
  const rows = sortAttendedFirst(own, (session) => session).slice(0, limit);
  if (rows.length === 0) return { text: 'There is no other session yet.', shown: [] };
  const left = own.length > rows.length ? ['There are older ones: search for a word with query.'] : [];
  const text = joinLines('Recent sessions:', rows.map(drawRow), left, `To read one: ${formatCall({ session_id: rows[0]?.id ?? '' })}`);
  return { text, shown: [] };
}

export const drawRow = (session: Session): string =>
  `${session.id} · ${formatSessionTitle(session)} · ${formatSessionFacts(session, session.messages)}`;
