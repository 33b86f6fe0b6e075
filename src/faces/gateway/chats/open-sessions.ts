import type { SessionHandle } from '../../../contracts/host.ts';
import type { Session } from '../../../contracts/session-store.ts';

/** Sessions that are open in this process. They stay open for the next message, as many as there is room for. */
export interface OpenSessions extends AsyncDisposable {
  open(session: Session): Promise<SessionHandle>;
  close(sessionId: string): Promise<void>;
  /** Closes it now, or when nobody works in it any more. */
  retire(sessionId: string): Promise<void>;
  /** Closes what was not used for longest, and what nobody works in. */
  makeRoom(): void;
  /** What sessions are opened with has changed: each is opened anew with its next use, one that is at work after that. */
  renew(): void;
}
export interface OpenSessionsDeps {
  readonly openSession: (session: Session) => Promise<SessionHandle>;
  readonly isBusy: (sessionId: string) => boolean;
}

/** Most chats are quiet most of the time. */
const MAX_OPEN = 100;

export function createOpenSessions({ openSession, isBusy }: OpenSessionsDeps): OpenSessions {
  // The one that was used last is the last of them.
  const handles = new Map<string, Promise<SessionHandle>>();
  /** Sessions that are being closed: nobody opens one again before that is over. */
  const leaving = new Map<string, Promise<void>>();
  const close = (sessionId: string): Promise<void> => {
    const handle = handles.get(sessionId);
    if (handle === undefined) return leaving.get(sessionId) ?? Promise.resolve();
    handles.delete(sessionId);
    const closed = handle.catch(() => undefined).then((opened) => opened?.[Symbol.asyncDispose]());
    const left = closed.catch(() => undefined).then(() => void (leaving.get(sessionId) === left && leaving.delete(sessionId)));
    leaving.set(sessionId, left);
    return closed;
  };
  const outdated = new Set<string>();
  // Which ones is decided at once: a moment later one of them may be at work again.
  const makeRoom = (except?: string): void => {
    for (const id of [...outdated].filter((each) => each !== except && !isBusy(each))) {
      outdated.delete(id);
      close(id).catch(() => undefined);
    }
    const idle = [...handles.keys()].filter((id) => id !== except && !isBusy(id));
    for (const id of idle.slice(0, Math.max(0, handles.size - MAX_OPEN))) close(id).catch(() => undefined);
  };
  return {
    open: (session) => {
      const { id } = session;
      const opened = handles.get(id) ?? Promise.resolve(leaving.get(id)).then(() => openSession(session));
      handles.delete(id);
      handles.set(id, opened);
      opened.catch(() => void (handles.get(id) === opened && handles.delete(id)));
      makeRoom(id);
      return opened;
    },
    close,
    retire: async (sessionId) => {
      if (isBusy(sessionId)) outdated.add(sessionId);
      else await close(sessionId);
    },
    makeRoom,
    renew: () => {
      for (const id of handles.keys()) outdated.add(id);
      makeRoom();
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...handles.keys()].map(close));
      await Promise.all(leaving.values());
    },
  };
}
