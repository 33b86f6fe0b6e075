import type { SessionHandle } from '../../../../contracts/host.ts';
import type { Session } from '../../../../contracts/session-store.ts';

/** Sessions that are kept open for their next message. */
export interface OpenHandles extends AsyncDisposable {
  open(session: Session): Promise<SessionHandle>;
  close(sessionId: string): Promise<void>;
}

/** Most conversations of programs are one request long. */
const MAX_IDLE = 32;

export function createOpenHandles(
  openSession: (session: Session) => Promise<SessionHandle>,
  isBusy: (sessionId: string) => boolean,
  /** It is closed. */
  onClosed: (session: Session) => Promise<void>,
): OpenHandles {
  const handles = new Map<string, Promise<SessionHandle>>();
  /** Sessions that are being closed: nobody opens one again before that is over. */
  const leaving = new Map<string, Promise<void>>();
  const close = (sessionId: string): Promise<void> => {
    const handle = handles.get(sessionId);
    handles.delete(sessionId);
    if (handle === undefined) return leaving.get(sessionId) ?? Promise.resolve();
    const closed = handle
      .then(async (opened) => {
        await opened[Symbol.asyncDispose]();
        await onClosed(opened.session);
      })
      .catch(() => undefined)
      .then(() => void (leaving.get(sessionId) === closed && leaving.delete(sessionId)));
    leaving.set(sessionId, closed);
    return closed;
  };
  const makeRoom = (): void => {
    const idle = [...handles.keys()].filter((sessionId) => !isBusy(sessionId));
    for (const sessionId of idle.slice(0, Math.max(0, idle.length - MAX_IDLE))) void close(sessionId);
  };
  return {
    open: (session) => {
      const known = handles.get(session.id);
      // The one that was used last is the last to go.
      handles.delete(session.id);
      const opened = known ?? Promise.resolve(leaving.get(session.id)).then(() => openSession(session));
      handles.set(session.id, opened);
      opened.catch(() => handles.get(session.id) === opened && handles.delete(session.id));
      makeRoom();
      return opened;
    },
    close,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...handles.keys()].map(close));
      await Promise.all(leaving.values());
    },
  };
}
