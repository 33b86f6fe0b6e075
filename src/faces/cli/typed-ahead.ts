import { closeSync, constants, openSync, readSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReadStream } from 'node:tty';

const INTERRUPT = 3;

/**
 * Throws away what was typed before now, a line without its end too: for that the terminal gives up its lines for a moment,
 * in which a Ctrl-C comes as a letter and is passed on. Gives how many bytes it was.
 */
export function discardTyped(input: ReadStream): number {
  let terminal: number;
  try {
    terminal = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return 0; // no terminal of our own: nothing can be typed ahead that we could tell from an answer
  }
  const wasRaw = input.isRaw;
  input.setRawMode(true);
  let thrown = 0;
  try {
    const typed = pending(terminal);
    thrown = typed.length;
    if (typed.includes(INTERRUPT)) process.kill(process.pid, 'SIGINT');
  } finally {
    input.setRawMode(wasRaw);
    closeSync(terminal);
  }
  while (input.read() !== null);
  return thrown;
}

/** A paste arrives in pieces: so long nothing may come before it counts as over, and so often that is waited for. */
const QUIET_MS = 25;
const MAX_ROUNDS = 40;

/** Throws away what still arrives behind an answer, until nothing more does. */
export async function discardRest(input: ReadStream): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await pause(QUIET_MS);
    if (discardTyped(input) === 0) return;
  }
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
