import { MAIN } from './hermes.ts';

/** Why nothing can be run on a terminal here; `false` when it can. */
export const noPty = await import('@lydell/node-pty').then(
  () => false as const,
  () => '@lydell/node-pty is not installed for this machine',
);

/** Keys, and what must stand on the screen before they are hit. */
export type Keys = readonly (readonly [after: RegExp, keys: string])[];
/** The sign that an answer is waited for; a line that is asked about may look like it in its middle. */
// oxlint-disable-next-line no-control-regex -- a terminal is told to mark what is pasted
export const WAITING = /\n(?:\u001b\[\?2004h)?> /;

/** Runs hermes, or another program, on a terminal and types once the question is there, or step by step. */
export async function onTerminal(
  args: readonly string[],
  home: string,
  typed: string | Keys,
  cwd = home,
  program?: string,
  { columns = 100, env: more = {} }: { readonly columns?: number; readonly env?: Readonly<Record<string, string>> } = {},
) {
  const { spawn } = await import('@lydell/node-pty');
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, HERMES_HOME: home, TERM: 'xterm', ...more };
  const terminal = spawn(program ?? process.execPath, program === undefined ? [MAIN, ...args] : [...args], {
    cwd,
    env,
    cols: columns,
    rows: 30,
  });
  const code = Promise.withResolvers<number>();
  const steps = typeof typed === 'string' ? [[WAITING, typed] as const] : [...typed];
  let [shown, seen] = ['', 0];
  terminal.onData((data) => {
    shown += data;
    for (let step = steps[0]; step !== undefined; step = steps[0]) {
      const found = step[0].exec(shown.slice(seen));
      if (found === null) return;
      seen += found.index + found[0].length;
      terminal.write(step[1]);
      steps.shift();
    }
  });
  terminal.onExit(({ exitCode }) => code.resolve(exitCode));
  return { code: await code.promise, shown };
}
