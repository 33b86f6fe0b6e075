import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillWith, toModule } from './plugin-source.ts';
import type { Attempt } from './row.ts';
import type { TriedAttempt } from './run-attempts.ts';
import { createAttemptWorld, readBelow } from './world.ts';

const CONTROL_MS = 10_000;

/** Whether a row has a body that can be tried without walls. */
export const hasControl = ({ code, noControl, setup }: Attempt): boolean =>
  code !== undefined && noControl === undefined && setup === undefined;

/** Tries the same code in a plain process on a machine of the same kind: what does not come off there proves nothing by failing. */
export async function runControl(rows: readonly Attempt[]): Promise<readonly Pick<TriedAttempt, 'name' | 'cameOff' | 'result'>[]> {
  await using world = await createAttemptWorld();
  const folder = join(world.root, 'control');
  const dataFolder = join(folder, 'data');
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  let child: ChildProcess | undefined;
  const found: TriedAttempt[] = [];
  for (const [index, row] of rows.filter(hasControl).entries()) {
    world.reset();
    const fill = fillWith(world.stage(), { plugin: 'control', tool: 'control', ownFolder: folder });
    const file = join(folder, `row-${index}.js`);
    writeFileSync(file, fill(toModule(row.code ?? '')));
    if (child?.connected !== true)
      child = fork(join(import.meta.dirname, 'control-child.ts'), {
        env: { ...world.env, ...world.secrets },
        cwd: dataFolder,
        execArgv: [],
      });
    const answer = await ask(child, { file, dataFolder, secrets: world.secrets });
    const result = { installed: true, enabled: true, refusal: '', answer, blocks: [], tools: [], shown: [] };
    found.push({ name: row.name, cameOff: row.cameOff(world.look({ texts: [answer, ...readBelow(dataFolder)] }, fill), result), result });
  }
  child?.kill('SIGKILL');
  return found;
}

function ask(child: ChildProcess, message: object): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => {
    child.kill('SIGKILL');
    resolve('no answer in time');
  }, CONTROL_MS);
  const onExit = (): void => resolve('the process ended');
  child.once('message', (answer) => resolve(typeof answer === 'string' ? answer : '')).once('exit', onExit);
  child.send(message);
  return promise.finally(() => {
    clearTimeout(timer);
    child.off('exit', onExit).removeAllListeners('message');
  });
}
