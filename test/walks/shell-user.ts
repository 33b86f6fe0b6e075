import { setTimeout as pause } from 'node:timers/promises';
import { XtermScreen } from '../faces/tui/screen/xterm.ts';
import { listProcesses } from '../processes.ts';
import { modesLeftOn, openShell } from '../faces/tui/terminal/shell-stage.ts';

/** Somebody at a shell on a terminal: looks at the screen, types, and sees whether the terminal is as it was. */
export type ShellUser = Awaited<ReturnType<typeof sitDown>>;
/** Keys, and what must be on the screen before they are typed. */
export type Steps = readonly (readonly [shown: RegExp, keys: string])[];

const SIZE = { columns: 80, rows: 24 };
const PROMPT = /§ $/;
const MAX_WAIT_MS = 30_000;
/** A question counts keys only after a pause. */
const PAUSE_MS = 450;

export async function sitDown(cwd: string, env: Readonly<Record<string, string>>) {
  const screen = new XtermScreen(SIZE);
  const shell = await openShell(cwd, env, screen);
  const text = async (): Promise<string> => {
    await screen.settle();
    return screen.logicalLines().join('\n');
  };
  /** What the screen shows from a line on, once it has what is looked for. */
  async function until(form: RegExp, from = 0): Promise<string> {
    for (const since = Date.now(); Date.now() - since < MAX_WAIT_MS; await pause(15)) {
      await screen.settle();
      const shown = screen.logicalLines().slice(from).join('\n');
      if (form.test(shown)) return shown;
    }
    throw new Error(`${String(form)} did not come on the screen:\n${(await text()).split('\n').slice(from).slice(-30).join('\n')}`);
  }
  await until(PROMPT);
  const before = withoutSize(await shell.settings('before'));
  const from = shell.output.length;
  return {
    shell,
    screen,
    text,
    until,
    /** How many lines there are by now. */
    lines: async (): Promise<number> => {
      await screen.settle();
      return screen.logicalLines().length;
    },
    /** Types each of the keys once it is time for them. */
    async follow(steps: Steps, first = 0): Promise<void> {
      for (const [shown, keys] of steps) {
        await until(shown, first);
        if (!shown.source.includes('❯')) await pause(PAUSE_MS);
        shell.type(keys);
      }
    },
    /** The shell has the terminal again: what is not as it was before. */
    async findDamage(): Promise<string[]> {
      const since = shell.output.length;
      shell.type('echo al""ive\r');
      await shell.until(/alive\r\n(?:[^]*)§ $/, since);
      const after = withoutSize(await shell.settings('after'));
      await screen.settle();
      const left = modesLeftOn(shell.output.slice(from));
      const { buffer, modes } = screen.terminal;
      return [
        ...(left.length > 0 ? [`modes left on: ${left.join(', ')}`] : []),
        ...(before === after ? [] : [`stty is another: ${after}`]),
        ...(buffer.active.type === 'normal' ? [] : ['still on the alternate screen']),
        ...(modes.mouseTrackingMode === 'none' && !modes.bracketedPasteMode && modes.wraparoundMode ? [] : ['modes of the screen']),
        ...(screen.logicalLines().includes('alive') && screen.logicalLines().includes('§ echo al""ive')
          ? []
          : ['the shell is not below what was drawn']),
      ];
    },
  };
}

const withoutSize = (settings: string): string => settings.replace(/rows \d+; columns \d+;/, '');

export interface Job {
  /** What the shell waits for. */
  readonly launcher: number;
  readonly program: number;
}
/** hermes and its launcher, once both run below the shell. */
export async function findJob(shellPid: number): Promise<Job> {
  for (const since = Date.now(); Date.now() - since < MAX_WAIT_MS; await pause(5)) {
    const rows = listProcesses();
    const parents = new Map(rows.map(({ pid, parent }) => [pid, parent]));
    const found = rows.find(({ args, parent }) => args.includes('main.cjs') && parents.get(parent) === shellPid);
    if (found !== undefined) return { launcher: found.parent, program: found.pid };
  }
  throw new Error('hermes did not start');
}

export const isRunning = (pid: number): boolean => listProcesses().some((row) => row.pid === pid);

export async function untilEnded(pid: number): Promise<void> {
  for (const since = Date.now(); Date.now() - since < MAX_WAIT_MS; await pause(20)) if (!isRunning(pid)) return;
  throw new Error(`process ${pid} did not end`);
}
