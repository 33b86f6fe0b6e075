import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { createPushReader, createRejection, isNoCommit, type PushRequest, type ReadPush } from './push-request.ts';
import { describePushLoss, describePushLosses, type PushLoss } from './push-loss.ts';

export interface PushGuard {
  /** The remote, for people. */
  readonly remote: string;
  findLosses(request: PushRequest, signal: AbortSignal): Promise<readonly PushLoss[]>;
  onLosses(losses: readonly PushLoss[]): void;
  /** Takes up the pack, which comes by `input`, and says why it may not be sent. Waits for whoever must be asked. */
  review(request: PushRequest, input: Socket, signal: AbortSignal): Promise<ReviewedPush>;
}
export interface ReviewedPush {
  readonly objection?: string;
  /** What was read of the input. */
  send(sink: Writable): Promise<void>;
  close(): void;
}
export interface PushStreams {
  readonly input: Socket;
  readonly output: Writable;
  readonly errors: Writable;
  /** Where the remote hears what is sent. */
  readonly sink: Writable;
  /** Nobody listens any more. */
  readonly signal: AbortSignal;
  /** The remote hears nothing more and says nothing more. */
  stop(): void;
  /** All is said. */
  end(): void;
}

/** Hands a push on to the remote once it is known to lose nothing there; else answers in the remote's place. One loss refuses all of it. */
export async function guardPush(guard: PushGuard, { input, output, errors, sink, signal, stop, end }: PushStreams): Promise<void> {
  const read = await readFrom(input);
  const losses = read.type === 'push' ? await guard.findLosses(read, signal) : [];
  if (signal.aborted) return stop();
  if (read.type === 'push' && losses.length === 0) {
    if (read.updates.length === 0) return void sink.write(read.bytes, () => input.pipe(sink));
    const { objection, send, close } = await guard.review(read, input, signal);
    try {
      if (signal.aborted) return stop();
      if (objection === undefined) {
        sink.write(read.bytes);
        await send(sink);
        return void input.pipe(sink);
      }
    } finally {
      close();
    }
    stop();
    errors.end(`hermes: This push to ${guard.remote} was not sent: ${objection}\n`);
    output.end(createRejection(read, () => 'not allowed'));
    return end();
  }
  stop();
  if (read.type !== 'push') {
    errors.end(read.type === 'bad' ? UNREADABLE : '');
    output.end();
    return end();
  }
  guard.onLosses(losses);
  errors.end(describePushLosses(guard.remote, losses));
  const lost = new Map(losses.map((loss) => [loss.ref, loss]));
  output.end(createRejection(read, ({ ref }) => describePushLoss(lost.get(ref))));
  // Git sends its pack before it listens; without one it waits for us.
  const hasPack = read.updates.some((update) => !isNoCommit(update.new));
  if (!hasPack || input.readableEnded) return end();
  input.once('end', end);
  input.resume();
}
const UNREADABLE =
  'hermes: This push was not sent, because what it changes could not be read. Ask the owner to run it outside the sandbox.\n';

/** `more` when it ended before it said what it changes. */
function readFrom(input: Socket): Promise<ReadPush> {
  const { promise, resolve } = Promise.withResolvers<ReadPush>();
  const takePiece = createPushReader();
  const settle = (read: ReadPush) => {
    input.pause();
    input.off('data', hear).off('end', fail).off('close', fail);
    // Now: a stream that has come to its end meanwhile takes nothing back.
    if (read.type === 'push' && read.rest.length > 0) input.unshift(read.rest);
    resolve(read);
  };
  const fail = () => settle({ type: 'more' });
  const hear = (chunk: Buffer) => {
    const read = takePiece(chunk);
    if (read.type !== 'more') settle(read);
  };
  input.on('data', hear).once('end', fail).once('close', fail);
  input.resume();
  return promise;
}
