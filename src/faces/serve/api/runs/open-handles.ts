import type { SessionHandle } from '../../../../contracts/host.ts';
import type { Run } from '../../../../contracts/run-store.ts';
import { readClientTools } from './client-tools.ts';
import type { Session } from '../../../../contracts/session-store.ts';

/** Sessions that are kept open for their next message. */
export interface OpenHandles extends AsyncDisposable {
  /** For this run, whose client may have tools of its own; for any when left out. */
  open(session: Session, run?: Run): Promise<SessionHandle>;
  close(sessionId: string): Promise<void>;
}

interface OpenHandle {
  readonly opened: Promise<SessionHandle>;
  /** Of its client. */
  readonly tools: string | undefined;
}

/** Most conversations of programs are one request long. */
const MAX_IDLE = 32;

export type OpenRunSession = (session: Session, run: Run | undefined) => Promise<SessionHandle>;

export function createOpenHandles(
  openSession: OpenRunSession,
  isBusy: (sessionId: string) => boolean,
  /** It is closed. */
  onClosed: (session: Session) => Promise<void>,
): OpenHandles {
  const handles = new Map<string, OpenHandle>();
  /** Sessions that are being closed: nobody opens one again before that is over. */
  const leaving = new Map<string, Promise<void>>();
  const close = (sessionId: string): Promise<void> => {
    const handle = handles.get(sessionId)?.opened;
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
    open: (session, run) => {
      const tools = JSON.stringify(run === undefined ? undefined : readClientTools(run));
      // With other tools it is another session to the model.
      if (run !== undefined && handles.get(session.id)?.tools !== tools) void close(session.id);
      const known = handles.get(session.id);
      // The one that was used last is the last to go.
      handles.delete(session.id);
      const opened = known?.opened ?? Promise.resolve(leaving.get(session.id)).then(() => openSession(session, run));
      handles.set(session.id, { opened, tools: known?.tools ?? tools });
      opened.catch(() => handles.get(session.id)?.opened === opened && handles.delete(session.id));
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
