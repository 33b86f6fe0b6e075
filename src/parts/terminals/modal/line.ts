import type { Sandbox } from 'modal';
import { toErrorMessage } from '../../../base/errors.ts';
import { READER, type Exec, type OutputHandlers, type RemoteShell } from '../line/line.ts';

/** Bytes of input sent at once. */
const CHUNK = 1024 * 1024;

/** One exec of the sandbox for each script. Only the reader stands in its arguments, which Modal bounds at 64 KiB. */
export const createModalLine = (sandbox: Sandbox, close: () => Promise<void>): RemoteShell => ({
  name: `the Modal sandbox ${sandbox.sandboxId}`,
  close,
  exec: (input, hear) => {
    const released = new AbortController();
    const over = carry(sandbox, input, hear, released.signal).catch((error: unknown) =>
      released.signal.aborted
        ? undefined
        : `The Modal sandbox ${sandbox.sandboxId} could not be reached: ${toErrorMessage(error)}. If it has ended, start a new session; it begins from the last snapshot.`,
    );
    return { over, release: () => released.abort() } satisfies Exec;
  },
});

async function carry(sandbox: Sandbox, input: Buffer, hear: OutputHandlers, signal: AbortSignal): Promise<undefined> {
  const running = await sandbox.exec(['bash', '-c', READER], { mode: 'binary' });
  // A command that does not read its input closes it; that is its right.
  void send(running.stdin, input).catch(() => undefined);
  await Promise.all([listen(running.stdout, hear.output, signal), listen(running.stderr, hear.told, signal)]);
}

async function send(stdin: WritableStream<Uint8Array>, input: Buffer): Promise<void> {
  const writer = stdin.getWriter();
  for (let at = 0; at < input.length; at += CHUNK) await writer.write(input.subarray(at, at + CHUNK));
  await writer.close();
}

async function listen(stream: ReadableStream<Uint8Array>, hear: (bytes: Buffer) => void, signal: AbortSignal): Promise<void> {
  const reader = stream.getReader();
  const stop = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  for (let next = await reader.read(); !next.done && !signal.aborted; next = await reader.read()) hear(Buffer.from(next.value));
  signal.removeEventListener('abort', stop);
}
