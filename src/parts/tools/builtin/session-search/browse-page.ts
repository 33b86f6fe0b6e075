import type { Session } from '../../../../contracts/session-store.ts';
import { factsOf, titleOf } from './draw.ts';
import { attendedFirst } from './lineage.ts';
import { call, joinLines, type SessionPage } from './page.ts';

/** The newest sessions of their own; those that worked for another are found through it. */
export function browsePage(newest: readonly Session[], running: string, limit: number): SessionPage {
  const own = newest.filter((session) => session.id !== running && session.parent?.kind !== 'child');
  const rows = attendedFirst(own, (session) => session).slice(0, limit);
  if (rows.length === 0) return { text: 'There is no other session yet.', shown: [] };
  const left = own.length > rows.length ? ['There are older ones: search for a word with query.'] : [];
  const text = joinLines('Recent sessions:', rows.map(drawRow), left, `To read one: ${call({ session_id: rows[0]?.id ?? '' })}`);
  return { text, shown: [] };
}

export const drawRow = (session: Session): string => `${session.id} · ${titleOf(session)} · ${factsOf(session, session.messages)}`;
