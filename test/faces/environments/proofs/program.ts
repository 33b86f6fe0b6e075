import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MAIN } from '../../../walks/hermes.ts';

/** A folder in which the real program makes attempts, and everything it leaves there. */
export interface RunPlace extends Disposable {
  readonly root: string;
  readonly out: string;
  /** Where the program puts what is temporary. */
  readonly tmp: string;
  start(args: readonly string[]): RunningProgram;
}
export interface RunningProgram {
  readonly child: ChildProcess;
  /** How it ended: an exit code, or nothing when it was killed. */
  readonly ended: Promise<{ readonly code: number | null; readonly err: string }>;
}

export function openRunPlace(): RunPlace {
  const root = mkdtempSync(join(tmpdir(), 'hermes-ordeal-'));
  const tmp = join(root, 'tmp');
  const home = join(root, 'home');
  for (const folder of [tmp, home]) mkdirSync(folder);
  return {
    root,
    tmp,
    out: join(root, 'out'),
    start: (args) => {
      const env = { PATH: process.env['PATH'], HOME: home, HERMES_HOME: home, TMPDIR: tmp };
      const child = spawn(process.execPath, [MAIN, ...args], { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
      let err = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (err = (err + text).slice(-4_000)));
      return { child, ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, err }))) };
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** An environment of so many tasks, each asked by its name, in a file of the kind people write. */
export function writeEnvironment(path: string, tasks: number): void {
  writeFileSync(
    path,
    `export default {
  name: 'ordeal',
  description: 'tasks of a proof',
  defaults: { enabled_toolsets: ['terminal'], max_agent_turns: 6 },
  load: async () => ({
    evaluation: Array.from({ length: ${tasks} }, (_, index) => ({ id: 'task-' + String(index).padStart(4, '0') })),
    format: ({ id }) => 'Do <' + id + '>.',
    reward: async () => 1,
  }),
};
`,
  );
}

/** Processes of this machine whose command line has the words. */
export const findProcesses = (words: string): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(words) ? [`${pid} ${line.slice(0, 120)}`] : [];
      } catch {
        return [];
      }
    });

/** Waits until it holds; gives whether it did. */
export async function eventually(holds: () => boolean, ms: number): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await wait(20)) if (holds()) return true;
  return holds();
}

export const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
export const countLines = (path: string): number => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0);
