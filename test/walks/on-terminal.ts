import { resolve } from 'node:path';

/** Why nothing can be run on a terminal here; `false` when it can. */
export const noPty = await import('@lydell/node-pty').then(
  () => false as const,
  () => '@lydell/node-pty is not installed for this machine',
);

/** Keys, and what must stand on the screen before they are hit. */
export type Keys = readonly (readonly [after: string, keys: string])[];

/** Runs the program on a terminal and types once the question is there, or step by step. */
export async function onTerminal(args: readonly string[], home: string, typed: string | Keys, cwd = home) {
  const { spawn } = await import('@lydell/node-pty');
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, HERMES_HOME: home, TERM: 'xterm' };
  const terminal = spawn(process.execPath, [resolve('src/main.ts'), ...args], { cwd, env, cols: 100, rows: 30 });
  const code = Promise.withResolvers<number>();
  const steps = typeof typed === 'string' ? [['> ', typed] as const] : [...typed];
  let [shown, seen] = ['', 0];
  terminal.onData((data) => {
    shown += data;
    for (let step = steps[0]; step !== undefined; step = steps[0]) {
      const at = shown.indexOf(step[0], seen);
      if (at < 0) return;
      seen = at + step[0].length;
      terminal.write(step[1]);
      steps.shift();
    }
  });
  terminal.onExit(({ exitCode }) => code.resolve(exitCode));
  return { code: await code.promise, shown };
}
