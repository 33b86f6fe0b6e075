import type { LineageKind, Session } from '../../../../contracts/session-store.ts';

export type Sessions = ReadonlyMap<string, Session>;

/** Whether a session of this kind tells its parent's story: a branch repeats it, a child works for it, a reset begins another. */
const FOLDED: Readonly<Record<LineageKind, boolean>> = { branch: true, child: true, reset: false };

/** The session at the top of the story a session belongs to; itself when it stands alone. */
export function resolveRootSession(session: Session, sessions: Sessions): Session {
  const seen = new Set([session.id]);
  let root = session;
  for (;;) {
    const above = root.parent !== undefined && FOLDED[root.parent.kind] ? sessions.get(root.parent.sessionId) : undefined;
    if (above === undefined || seen.has(above.id)) return root;
    seen.add(above.id);
    root = above;
  }
}

/** Sources in which no person speaks; what people said is the better memory. */
const UNATTENDED: ReadonlySet<string> = new Set(['cron', 'batch', 'kanban', 'subagent', 'tool']);

export const isAttended = ({ source }: Session): boolean => !UNATTENDED.has(source);

/** Those with a person first; the order is kept otherwise. */
export const sortAttendedFirst = <Item>(items: readonly Item[], sessionOf: (item: Item) => Session): Item[] => [
  ...items.filter((item) => isAttended(sessionOf(item))),
  ...items.filter((item) => !isAttended(sessionOf(item))),
];
