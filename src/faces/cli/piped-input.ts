import { fstatSync } from 'node:fs';

/** What was piped in beside the message. */
export type PipedInput =
  | { readonly type: 'none' }
  /** A pipe is there and says nothing: it was inherited, or its other end is slow. */
  | { readonly type: 'silent' }
  /** `cut` when there was more than is taken. */
  | { readonly type: 'text'; readonly text: string; readonly cut: boolean }
  | { readonly type: 'binary'; readonly bytes: number };

/** How long the first byte of a pipe is waited for. */
export const MAX_SILENCE_MS = 3_000;
/** More than this is not taken in: it has to be held in memory. */
export const MAX_PIPED_BYTES = 32 * 1024 * 1024;

/** Whether something was put on standard input on purpose: a pipe, a socket or a file, and no terminal or /dev/null. */
export function isPiped(fd = 0): boolean {
  try {
    const found = fstatSync(fd);
    return found.isFIFO() || found.isSocket() || found.isFile();
  } catch {
    return false; // it is closed
  }
}

/** Reads standard input to its end; one that says nothing for too long is left. A stop ends the wait. */
export async function readPiped(
  input: NodeJS.ReadableStream & { unref?(): unknown },
  signal: AbortSignal,
  silenceMs = MAX_SILENCE_MS,
): Promise<PipedInput> {
  const chunks: Buffer[] = [];
  let [size, timer] = [0, undefined as NodeJS.Timeout | undefined];
  const over = Promise.withResolvers<'end' | 'silent' | 'full' | 'stopped'>();
  const onData = (chunk: Buffer | string) => {
    clearTimeout(timer);
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size > MAX_PIPED_BYTES) over.resolve('full');
  };
  const [onEnd, onStop] = [() => over.resolve('end'), () => over.resolve('stopped')];
  timer = setTimeout(() => over.resolve('silent'), silenceMs);
  input.on('data', onData).once('end', onEnd).once('error', onEnd);
  signal.addEventListener('abort', onStop, { once: true });
  if (signal.aborted) onStop();
  const how = await over.promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', onStop);
  // Left open, it would keep the process waiting for whoever holds the other end.
  input.off('data', onData).off('end', onEnd).pause();
  input.unref?.();
  return how === 'silent' ? { type: 'silent' } : contentOf(Buffer.concat(chunks).subarray(0, MAX_PIPED_BYTES), size > MAX_PIPED_BYTES);
}

function contentOf(bytes: Buffer, cut: boolean): PipedInput {
  if (bytes.length === 0) return { type: 'none' };
  // No text has this byte; it has to be looked for near the beginning only.
  if (bytes.subarray(0, 65_536).includes(0)) return { type: 'binary', bytes: bytes.length };
  const text = bytes.toString('utf8');
  return text.trim() === '' ? { type: 'none' } : { type: 'text', text, cut };
}
