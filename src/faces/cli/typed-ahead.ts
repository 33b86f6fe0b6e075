import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { ReadStream } from 'node:tty';

const INTERRUPT = 3;

/**
 * Throws away what was typed before now, a line without its end too: for that the terminal gives up its lines for a moment,
 * in which a Ctrl-C comes as a letter and is passed on.
 */
export function discardTyped(input: ReadStream): void {
  let terminal: number;
  try {
    terminal = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return; // no terminal of our own: nothing can be typed ahead that we could tell from an answer
  }
  const wasRaw = input.isRaw;
  input.setRawMode(true);
  try {
    if (pending(terminal).includes(INTERRUPT)) process.kill(process.pid, 'SIGINT');
  } finally {
    input.setRawMode(wasRaw);
    closeSync(terminal);
  }
  while (input.read() !== null);
}

/** All that can be read without waiting. */
function pending(terminal: number): Buffer {
  const found: Buffer[] = [];
  const chunk = Buffer.alloc(4_096);
  try {
    for (let size = 1; size > 0;) {
      size = readSync(terminal, chunk);
      found.push(Buffer.from(chunk.subarray(0, size)));
    }
  } catch {
    // there is nothing more
  }
  return Buffer.concat(found);
}
