import { UsageError } from '../../../base/errors.ts';
import type { Session } from '../../../contracts/session-store.ts';
import type { ServeDeps } from './contract.ts';

type SessionDeps = Pick<ServeDeps, 'host' | 'rules'>;

export const isVisible = ({ source }: Session, { rules: { sources } }: Pick<SessionDeps, 'rules'>): boolean =>
  sources === undefined || sources.includes(source);

/** The session a client names. One it may not see is not there. */
export async function findVisibleSession(ref: string, deps: SessionDeps): Promise<Session> {
  const found = (await deps.host.store.find(ref)).filter((session) => isVisible(session, deps));
  const [session] = found;
  if (session === undefined) throw new UsageError(`there is no conversation ${ref}. conversations_list shows those there are.`);
  if (found.length > 1) throw new UsageError(`${ref} could be ${found.length} conversations. Give the whole id.`);
  return session;
}

/** A whole list is never asked for: the newest, more of them while too few may be seen. */
export async function listVisibleSessions(deps: SessionDeps, limit: number, source?: string): Promise<readonly Session[]> {
  const { sources } = deps.rules;
  const wanted = source === undefined ? sources : [source].filter((name) => sources === undefined || sources.includes(name));
  if (wanted === undefined) return deps.host.store.list({ limit });
  const lists = await Promise.all(wanted.map((name) => deps.host.store.list({ source: name, limit })));
  return lists
    .flat()
    .toSorted((one, other) => other.updatedAt - one.updatedAt)
    .slice(0, limit);
}
