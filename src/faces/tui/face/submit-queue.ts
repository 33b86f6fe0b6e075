import type { InboxMode } from '../../../contracts/session-store.ts';

/** Something that was sent and is not on its way yet: the program is still opening, or a line before it is at work. */
export interface WaitingLine {
  readonly text: string;
  readonly mode: InboxMode | undefined;
}

/** Lines on their way out: each begins when the one before it is through, so the order of the keys is the order of the log. */
export interface SubmitQueue {
  add(line: WaitingLine): void;
  /** Lines that have not begun, oldest first. */
  readonly waiting: readonly WaitingLine[];
  /** Take back the last of them, or all: they are not sent. */
  takeLast(): WaitingLine | undefined;
  takeAll(): readonly WaitingLine[];
}

export interface SubmitQueueDeps {
  /** Resolves when the next line may begin. */
  send(line: WaitingLine): Promise<void>;
  fail(line: WaitingLine, error: unknown): void;
}

export function createSubmitQueue({ send, fail }: SubmitQueueDeps): SubmitQueue {
  const waiting: WaitingLine[] = [];
  let isSending = false;
  async function sendAll(): Promise<void> {
    isSending = true;
    for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) {
      const sent = line;
      await send(sent).catch((error: unknown) => fail(sent, error));
    }
    isSending = false;
  }
  return {
    add: (line) => {
      waiting.push(line);
      if (!isSending) void sendAll();
    },
    waiting,
    takeLast: () => waiting.pop(),
    takeAll: () => waiting.splice(0),
  };
}
