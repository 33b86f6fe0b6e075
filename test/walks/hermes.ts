import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after } from 'node:test';

/** The program: the bundle `npm test` has made sure of, or the sources when a file is run by hand. */
export const MAIN = process.env['HERMES_TEST_MAIN'] ?? resolve('src/main.ts');

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}
export interface RunOptions {
  readonly home: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer;
  /** In a terminal of its own, as a person would: some answers count only there. */
  readonly onTerminal?: true;
  /** Called with the child as soon as it runs. */
  readonly started?: (child: ChildProcess) => void;
}

/** Variables a run may see: no key or setting of the machine's owner leaks into a test. */
const CLEAN = ['PATH', 'LANG', 'TMPDIR'] as const;
const cleanEnv = (): Record<string, string> =>
  Object.fromEntries(CLEAN.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name] ?? '']])));

/** Its streams are files: what it prints is told as without a terminal. */
async function hermesOnTerminal(args: readonly string[], { home, cwd, env }: RunOptions): Promise<Ran> {
  const { spawn: spawnOnTerminal } = await import('@lydell/node-pty');
  const folder = mkdtempSync(join(tmpdir(), 'hermes-typed-'));
  const [out, err] = [join(folder, 'out'), join(folder, 'err')];
  const code = await new Promise<number>((done) => {
    const terminal = spawnOnTerminal(
      'sh',
      ['-c', 'out=$1 err=$2; shift 2; "$@" >"$out" 2>"$err" </dev/null', 'sh', out, err, process.execPath, MAIN, ...args],
      {
        cwd: cwd ?? home,
        env: { ...cleanEnv(), HOME: home, HERMES_HOME: home, ...env },
      },
    );
    terminal.onExit(({ exitCode }) => done(exitCode));
  });
  const ran = { code, signal: null, out: readFileSync(out, 'utf8'), err: readFileSync(err, 'utf8') };
  rmSync(folder, { recursive: true });
  return ran;
}

/** Runs the real program as a user would, with a home of its own. */
export function hermes(args: readonly string[], options: RunOptions): Promise<Ran> {
  if (options.onTerminal === true) return hermesOnTerminal(args, options);
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: options.cwd ?? options.home,
    env: { ...cleanEnv(), HOME: options.home, HERMES_HOME: options.home, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
  child.stdin.on('error', () => {});
  child.stdin.end(options.stdin ?? '');
  options.started?.(child);
  return new Promise((done) => child.once('close', (code, signal) => done({ code, signal, out, err })));
}

/** A home folder that goes away with the tests of this file. */
export function tempHome(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-walk-'));
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** The lines of a `--json` run. A line cut off by a kill is left out. */
export function jsonLines(out: string): Record<string, unknown>[] {
  return out.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Record<string, unknown>];
    } catch {
      return [];
    }
  });
}

/** Flags that lead to a server of the test. */
export const toServer = (url: string, apiMode = 'chat_completions'): string[] => [
  '--base-url',
  `${url}/v1`,
  '--api-mode',
  apiMode,
  '-m',
  'test-model',
];
