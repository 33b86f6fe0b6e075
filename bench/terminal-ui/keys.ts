import { setTimeout as pause } from 'node:timers/promises';
import { monotonic } from '../wire.ts';
import type { EditorProgram } from './programs.ts';
import type { Pty } from './pty.ts';

/** Letters nobody's text has here: each key is known again on the screen by its own. */
const FIRST_LETTER = 0x0400;
const LETTERS = 0x0100;
/** A line of so many letters fits into the editor of the narrowest screen. */
const LINE = 20;
const CLEAR_LINE = '\u0015';
let typed = 0;

/** Types letters, some in a second, and gives the time from each to its place on the screen, in ms. */
export async function typeLetters(pty: Pty, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    await pause(60 + Math.random() * 60);
    const letter = String.fromCodePoint(FIRST_LETTER + (typed++ % LETTERS));
    const seen = pty.seen(letter);
    const at = monotonic();
    pty.type(letter);
    times.push((await seen) - at);
    if (n % LINE === LINE - 1 || n === count - 1) pty.type(CLEAR_LINE);
  }
  return times;
}

/** A line is sent once it stands in the editor. */
export async function sendLine(pty: Pty, text: string): Promise<void> {
  const last = pty.seen(text.at(-1) ?? '');
  pty.type(text);
  await last;
  await pause(300);
  pty.type('\r');
}

export async function waitUntilQuiet(pty: Pty, ms = 1_500): Promise<void> {
  for (let before = -1; before !== pty.chunks.length;) {
    before = pty.chunks.length;
    await pause(ms);
  }
}

/** Starts it, waits until it can be typed into, and gives the moments. */
export async function untilEditable(
  pty: Pty,
  program: EditorProgram,
): Promise<{ readonly frameMs: number; readonly editableMs: number; readonly cpuMs: number }> {
  const frame = await pty.seen(program.drawn, { fromStart: true });
  const letter = String.fromCodePoint(FIRST_LETTER);
  const seen = pty.seen(letter);
  pty.type(letter);
  const editable = await seen;
  return { frameMs: frame - pty.startedAt, editableMs: editable - pty.startedAt, cpuMs: pty.cpuMs() };
}
