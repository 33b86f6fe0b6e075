import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where the program lies that runs a plugin, and what plugins import: `folder` holds both and all they need. */
export interface RunnerFiles {
  readonly folder: string;
  readonly runner: string;
  /** What `hermes-ts/plugin` is. */
  readonly entry: string;
}

/** In the sources beside everything else; in a bundle a folder of its own, beside it or above its chunks. */
export function findRunnerFiles(): RunnerFiles {
  const source = join(import.meta.dirname, '..');
  if (existsSync(join(source, 'plugins', 'isolated', 'runner.ts')))
    return { folder: source, runner: join('plugins', 'isolated', 'runner.ts'), entry: 'plugin.ts' };
  const folder = ['.', '..', join('..', '..')].map((up) => join(import.meta.dirname, up, 'plugin-runner')).find((path) => existsSync(path));
  if (folder === undefined) throw new Error('The program that runs plugins is not part of this build.');
  return { folder, runner: 'runner.mjs', entry: 'plugin.mjs' };
}
