import type { SessionHandle } from '../contracts/host.ts';

/** Where the owner sits in front of a session, who leaves it ends it for now. A chat or a job has an end of its own. */
const OWNERS: ReadonlySet<string> = new Set(['cli', 'tui', 'acp']);

/** Ends a session that its owner leaves. Trouble with it keeps nobody from leaving. */
export async function leaveSession(handle: Pick<SessionHandle, 'session' | 'end'>): Promise<void> {
  if (OWNERS.has(handle.session.platform)) await handle.end('exit').catch(() => false);
}
