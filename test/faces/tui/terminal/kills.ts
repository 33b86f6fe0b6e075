import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { modesLeftOn, openShell, type Shell } from './shell-stage.ts';

export interface KilledOnTerminal {
  readonly signal: NodeJS.Signals;
  readonly afterMs: number;
  /** What is not as before; nothing when the terminal is sane. */
  readonly problem?: string;
}
export interface KillOptions {
  readonly cwd: string;
  /** The line that starts the program; it writes its process id to `pid`. */
  readonly line: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the program from within, after it was continued. */
  readonly quit: string;
  /** Keys typed while it runs, one after the other. */
  readonly keys: readonly string[];
}

/** Starts the program in a shell, sends a signal at some moment, and compares the terminal with how it was. */
export async function killOnTerminal(options: KillOptions, signal: NodeJS.Signals, afterMs: number): Promise<KilledOnTerminal> {
  const pidFile = join(options.cwd, 'pid');
  rmSync(pidFile, { force: true });
  const shell = await openShell(options.cwd, options.env);
  try {
    await shell.until(/§ /);
    const before = await shell.settings('before');
    const from = shell.output.length;
    shell.type(`${options.line}\r`);
    const pid = await readPid(pidFile);
    await typeFor(shell, options.keys, afterMs);
    const sentAt = shell.output.length;
    process.kill(pid, signal);
    await shell.until(/§ /, sentAt);
    const stopped = modesLeftOn(shell.output.slice(from));
    if (signal === 'SIGTSTP') await goOnAndQuit(shell, options);
    const after = await shell.settings('after');
    const left = modesLeftOn(shell.output.slice(from));
    const problem =
      stopped.length + left.length > 0 ? `left on: ${[...stopped, ...left].join(', ')}` : before === after ? undefined : `stty: ${after}`;
    return { signal, afterMs, ...(problem !== undefined && { problem }) };
  } catch (error) {
    return { signal, afterMs, problem: error instanceof Error ? error.message : String(error) };
  } finally {
    shell.close();
  }
}

async function readPid(file: string): Promise<number> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    try {
      const pid = Number(readFileSync(file, 'utf8'));
      if (pid > 0) return pid;
    } catch {
      // It has not started yet.
    }
    await sleep(5);
  }
  throw new Error('the program did not start');
}

async function typeFor(shell: Shell, keys: readonly string[], ms: number): Promise<void> {
  const end = performance.now() + ms;
  for (let index = 0; performance.now() < end; index += 1) {
    await sleep(Math.min(15, Math.max(0, end - performance.now())));
    if (keys.length > 0) shell.type(keys[index % keys.length] ?? '');
  }
}

async function goOnAndQuit(shell: Shell, { quit }: KillOptions): Promise<void> {
  const from = shell.output.length;
  shell.type('\u0015fg\r');
  // oxlint-disable-next-line no-control-regex -- sequences are what this is about
  await shell.until(/\u001b\[\?2004h[^]*\u001b\[\?2026l/, from);
  shell.type(quit);
  await shell.until(/§ /, from);
}
