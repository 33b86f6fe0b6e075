import { resolve } from 'node:path';

/** Why nothing can be run on a terminal here; `false` when it can. */
export const noPty = await import('@lydell/node-pty').then(
  () => false as const,
  () => '@lydell/node-pty is not installed for this machine',
);

/** Runs the program on a terminal and types once the question is there. */
export async function onTerminal(args: readonly string[], home: string, typed: string, cwd = home) {
  const { spawn } = await import('@lydell/node-pty');
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, HERMES_HOME: home, TERM: 'xterm' };
  const terminal = spawn(process.execPath, [resolve('src/main.ts'), ...args], { cwd, env, cols: 100, rows: 30 });
  const code = Promise.withResolvers<number>();
  let shown = '';
  terminal.onData((data) => {
    const asked = shown.includes('> ');
    shown += data;
    if (!asked && shown.includes('> ')) terminal.write(typed);
  });
  terminal.onExit(({ exitCode }) => code.resolve(exitCode));
  return { code: await code.promise, shown };
}
