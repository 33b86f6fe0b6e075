import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Readable } from 'node:stream';
import { toErrorMessage } from '../../base/errors.ts';
import { createServerLog, type ServerLog } from './server-log.ts';
import { UNSENT } from './failures.ts';
import { startGuarded, type GuardedChild, type ServerLaunch } from './guard.ts';
import { createLineSplitter } from './lines.ts';
import type { Sdk } from './sdk.ts';

/** One answer may be this large; what is longer ends the connection instead of our memory. */
export const MAX_BYTES = 10 * 1024 * 1024;
const DRAIN_MS = 250;

type MessageCodec = Pick<Sdk, 'deserializeMessage' | 'serializeMessage'>;
export interface StdioTransport extends Transport, Pick<ServerLog, 'story'> {}

/** A server as a program of ours: JSON lines over its pipes, its whole process group in our hands. */
export function createStdioTransport(wire: MessageCodec, launch: ServerLaunch): StdioTransport {
  const diary = createServerLog();
  let guarded: GuardedChild | undefined;
  let through: Promise<void> = Promise.resolve();
  const transport: StdioTransport = {
    start: async () => {
      guarded = startGuarded(launch);
      through = listen(guarded, wire, transport, diary);
    },
    send: (message) =>
      new Promise((resolve, reject) => {
        if (guarded === undefined || diary.isOver()) return reject(unsent(new Error('it is gone')));
        guarded.child.stdin.write(wire.serializeMessage(message), (error) => (error == null ? resolve() : reject(unsent(error))));
      }),
    close: async () => {
      await guarded?.end();
      // Its end is on the books before anybody asks for its story; one that cannot even be killed is not waited for.
      await Promise.race([through, new Promise<void>((resolve) => void setTimeout(resolve, DRAIN_MS * 2).unref())]);
    },
    story: diary.story,
  };
  return transport;
}

/** Hands messages on in their order until the server is gone and everything it said is heard. */
async function listen(guarded: GuardedChild, wire: MessageCodec, transport: Transport, diary: ServerLog): Promise<void> {
  const { child, gone } = guarded;
  const lines = createLineSplitter(MAX_BYTES);
  let heard = Promise.resolve();
  child.stderr.on('data', diary.heard);
  child.once('error', (error) => diary.trouble(error.message));
  child.stdout.on('data', (chunk: Buffer) => {
    try {
      // One after the other: an answer must not overtake the progress before it, which the SDK tells a moment later.
      for (const line of lines.add(chunk)) heard = heard.then(() => deliver(line, wire, transport, diary)).then(() => {});
    } catch {
      diary.trouble(`it sent more than ${MAX_BYTES} bytes in one message`);
      void guarded.end();
    }
  });
  const exitCode = await gone;
  await drained(child.stdout);
  await heard;
  diary.ended(exitCode);
  transport.onclose?.();
}

function deliver(line: string, wire: MessageCodec, transport: Transport, diary: ServerLog): void {
  try {
    transport.onmessage?.(wire.deserializeMessage(line));
  } catch (error) {
    // Many servers print a greeting where only messages belong; it is passed over, and told when nothing else comes.
    diary.odd(toErrorMessage(error));
  }
}

/** Something that left the group may hold the pipe for ever. */
async function drained(stream: Readable): Promise<void> {
  if (stream.closed) return;
  const timer = setTimeout(() => stream.destroy(), DRAIN_MS);
  await new Promise<void>((resolve) => stream.once('close', resolve));
  clearTimeout(timer);
}

/** A message counts from its line end on: one that could not be written whole was not received. */
const unsent = (cause: Error): Error => Object.assign(new Error(cause.message, { cause }), { code: UNSENT });
