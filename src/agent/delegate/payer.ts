import type { SessionStore } from '../../contracts/session-store.ts';

/** The session whose budget a session spends: a child spends that of the session it works for, however deep it is. */
export async function payerOf(sessionId: string, store: Pick<SessionStore, 'find'>): Promise<string> {
  const [session] = await store.find(sessionId);
  return session?.parent?.kind === 'child' ? payerOf(session.parent.sessionId, store) : sessionId;
}
