import { createMailbox, type Mailbox } from './mailbox.ts';

/** What is told while nobody listens is kept for the first who does, as far as this; older lines go first. */
const MAX_KEPT = 200;

/** Lines told by many, heard by whoever listens. Nothing told before the first listener came is lost, within bounds. */
export interface NoticeBoard<Line> {
  tell(line: Line): void;
  /** Everything from now on, and what nobody has heard yet; what the last listener has not read when it leaves is unheard again. Ends with the signal or when the board is closed. */
  listen(signal: AbortSignal): AsyncIterable<Line>;
  close(): void;
}

export function createNoticeBoard<Line>(): NoticeBoard<Line> {
  const listeners = new Set<Mailbox<Line>>();
  let unheard: Line[] = [];
  let closed = false;
  return {
    tell: (line) => {
      if (listeners.size === 0) unheard = [...unheard, line].slice(-MAX_KEPT);
      for (const listener of listeners) listener.push(line);
    },
    listen: (signal) => {
      const box = createMailbox<Line>();
      for (const line of unheard.splice(0)) box.push(line);
      const leave = () => {
        signal.removeEventListener('abort', leave);
        listeners.delete(box);
        box.close();
      };
      if (signal.aborted || closed) box.close();
      else {
        listeners.add(box);
        signal.addEventListener('abort', leave, { once: true });
      }
      return readUntilLeft(box, () => {
        leave();
        if (listeners.size === 0) unheard = [...box.rest(), ...unheard].slice(-MAX_KEPT);
      });
    },
    close: () => {
      closed = true;
      for (const listener of listeners) listener.close();
      listeners.clear();
    },
  };
}

async function* readUntilLeft<Line>(lines: AsyncIterable<Line>, leave: () => void): AsyncGenerator<Line, void> {
  try {
    yield* lines;
  } finally {
    leave();
  }
}

/** Hands every line on as it comes, until it is disposed of; what was told by then is still handed on. */
export function forwardLines<Line>(listen: (signal: AbortSignal) => AsyncIterable<Line>, tell: (line: Line) => void): AsyncDisposable {
  const stop = new AbortController();
  const done = (async () => {
    for await (const line of listen(stop.signal)) tell(line);
  })();
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await done;
    },
  };
}
