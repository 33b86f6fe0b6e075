import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import xterm from '@xterm/headless';
import { MAIN } from './hermes.ts';

/** hermes on a terminal that somebody looks at and types into. */
export interface TerminalUi extends AsyncDisposable {
  type(keys: string): void;
  /** What is on the screen and above it, rows that belong together put together. */
  text(): Promise<string>;
  /** Waits until the screen shows it. */
  until(what: RegExp): Promise<string>;
  resize(columns: number, rows: number): void;
  /** Everything the program wrote. */
  readonly log: string;
  readonly pid: number;
  readonly ended: Promise<number>;
}
export interface TerminalUiOptions {
  readonly home: string;
  readonly cwd: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  /** Another program than hermes itself. */
  readonly program?: readonly string[];
  /** What runs it; Node if left out. */
  readonly runner?: string;
}

/** A question counts keys only after a pause of this length. */
export const PAUSE_MS = 400;
const MAX_WAIT_MS = 30_000;

export async function openTerminalUi(options: TerminalUiOptions): Promise<TerminalUi> {
  const { home, cwd, args = [], env = {}, columns = 80, rows = 24, program = [MAIN], runner = process.execPath } = options;
  const { spawn } = await import('@lydell/node-pty');
  const screen = new xterm.Terminal({ cols: columns, rows, scrollback: 20_000, allowProposedApi: true });
  const variables = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    HERMES_HOME: home,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    ...env,
  };
  const child = spawn(runner, [...program, ...args], { cwd, cols: columns, rows, env: variables });
  const ended = Promise.withResolvers<number>();
  let log = '';
  child.onData((data) => {
    log += data;
    screen.write(data);
  });
  // What the program asks the terminal is answered by the terminal.
  screen.onData((answer) => child.write(answer));
  child.onExit(({ exitCode }) => ended.resolve(exitCode));
  const text = async (): Promise<string> => {
    await new Promise<void>((done) => screen.write('', done));
    const buffer = screen.buffer.active;
    let all = '';
    for (let index = 0; index < buffer.length; index += 1) {
      const row = buffer.getLine(index);
      all += `${row?.isWrapped === true ? '' : '\n'}${row?.translateToString(true) ?? ''}`;
    }
    return all.trimEnd();
  };
  return {
    type: (keys) => child.write(keys),
    text,
    until: async (what) => {
      for (const since = Date.now(); Date.now() - since < MAX_WAIT_MS; await pause(25)) {
        const shown = await text();
        if (what.test(shown)) return shown;
      }
      assert.fail(`${what} did not come on the screen:\n${await text()}`);
    },
    resize: (width, height) => {
      screen.resize(width, height);
      child.resize(width, height);
    },
    get log() {
      return log;
    },
    pid: child.pid,
    ended: ended.promise,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended.promise;
      screen.dispose();
    },
  };
}
