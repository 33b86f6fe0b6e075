import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TerminalDevice, TerminalHandlers, TerminalSize } from '../contract.ts';
import type { MainScreenOptions } from '../screen/main-screen.ts';
import { escapeMsOf, knowsSequences, lateMsOf, quietMsOf, reflowOf } from './identity.ts';
import { createKeyDecoder } from './key-decoder.ts';
import { createLearnedTerminal } from './learned.ts';
import { enterModes, LEAVE_MODES, QUERIES, useOtherKeys } from './modes.ts';
import { watchSignals } from './signals.ts';

export interface ProcessTerminal extends TerminalDevice {
  /** What the main screen has to know of this terminal. */
  readonly screenOptions: MainScreenOptions;
}

/** How long answers are waited for that are still on their way when the terminal is handed back: in a shell they would show up as typed text. */
const ANSWERS_MS = 300;
const USUAL_SIZE: TerminalSize = { columns: 80, rows: 24 };

/** The terminal this process runs on. */
export function createProcessTerminal(process: NodeJS.Process): ProcessTerminal {
  const { stdin, stdout, env } = process;
  let handlers: TerminalHandlers | undefined;
  let entered = false;
  let asked = false;
  /** Another program has the terminal, stopped or not. */
  let lent = false;
  let endSignals: (() => void) | undefined;
  const learned = createLearnedTerminal((protocol) => {
    if (protocol === 'other-keys' && entered) stdout.write(useOtherKeys);
  });
  const decoder = createKeyDecoder({ escapeMs: escapeMsOf(env), key: (data) => handlers?.key(data), answer: learned.take });
  const read = createReader((text) => decoder.feed(text));
  const lost = (): void => handlers?.leave('SIGHUP');
  const tellSize = (): void => handlers?.resize(readSize(stdout));

  function enter(): void {
    if (entered) return;
    entered = true;
    stdin.setRawMode(true);
    stdin.setEncoding('utf8').on('data', read).resume();
    stdout.write(enterModes(learned.protocol) + (asked || !knowsSequences(env) ? '' : QUERIES));
    if (!knowsSequences(env)) learned.end();
    asked = true;
  }
  /** Synchronous: it also runs while the process ends. */
  function leave(): void {
    if (!entered) return;
    entered = false;
    stdin.off('data', read).pause();
    try {
      writeSync(stdout.fd, LEAVE_MODES);
      stdin.setRawMode(false);
    } catch {
      // The terminal is gone; there is nothing to take back.
    }
  }
  function hand(): void {
    if (!entered) return;
    handlers?.pause();
    leave();
  }
  function takeBack(): void {
    if (handlers === undefined || entered || lent) return;
    enter();
    tellSize();
    handlers.redraw();
  }

  const untilAnswered = async (): Promise<void> => {
    if (entered && knowsSequences(env)) await Promise.race([learned.answered, sleep(ANSWERS_MS)]);
  };

  const signals = { untilAnswered, hand, takeBack, leave: (signal: 'SIGHUP' | 'SIGTERM') => handlers?.leave(signal) };
  return {
    get size() {
      return readSize(stdout);
    },
    background: learned.background,
    screenOptions: { reflow: () => reflowOf(env, learned.name), lateMs: lateMsOf(env), quietMs: quietMsOf(env) },
    write: (bytes) => void stdout.write(bytes),
    start(given) {
      handlers = given;
      endSignals = watchSignals(process, signals);
      stdout.on('resize', tellSize).on('error', lost);
      stdin.on('error', lost).on('end', lost);
      enter();
    },
    async stop() {
      handlers = undefined;
      await untilAnswered();
      decoder.flush();
      leave();
      endSignals?.();
      stdout.off('resize', tellSize).off('error', lost);
      stdin.off('error', lost).off('end', lost);
    },
    suspend: () => process.kill(process.pid, 'SIGTSTP'),
    async lend(work) {
      hand();
      lent = true;
      try {
        return await work();
      } finally {
        lent = false;
        takeBack();
      }
    },
  };
}

/** Before raw mode the system turned Enter into a line feed; what was typed then comes first, in one piece. */
function createReader(feed: (text: string) => void): (data: string) => void {
  let typedAhead = true;
  return (data) => {
    const text = typedAhead && !data.startsWith('\u001b') ? data.replaceAll('\n', '\r') : data;
    typedAhead = false;
    feed(text);
  };
}

/** As the system knows it at this moment; 0 means that it does not know. */
function readSize(stdout: NodeJS.Process['stdout']): TerminalSize {
  const [columns, rows] = stdout.isTTY ? stdout.getWindowSize() : [0, 0];
  return { columns: columns > 0 ? columns : USUAL_SIZE.columns, rows: rows > 0 ? rows : USUAL_SIZE.rows };
}
