import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where the Python peers of the proof lie. */
export const PEERS = resolve('.cache/benchmarks');

const PYTHONS = ['python3.13', 'python3.12'].flatMap((name) => [name, ...pyenvs(name)]);

function pyenvs(name: string): readonly string[] {
  const { stdout } = spawnSync('bash', ['-c', `ls -d ~/.pyenv/versions/*/bin/${name} 2>/dev/null`], { encoding: 'utf8' });
  return stdout.split('\n').filter((path) => path !== '');
}

/** A virtual environment with these packages, made when it is not there; nothing where this machine cannot. */
export function installPeer(name: string, installs: readonly (readonly string[])[]): string | undefined {
  const folder = join(PEERS, name);
  const python = PYTHONS.find((path) => spawnSync(path, ['-c', 'import venv']).status === 0);
  if (existsSync(join(folder, 'bin', name))) return folder;
  if (python === undefined) return undefined;
  mkdirSync(PEERS, { recursive: true });
  if (spawnSync(python, ['-m', 'venv', folder]).status !== 0) return undefined;
  const fails = installs.some((args) => spawnSync(join(folder, 'bin/pip'), ['install', '-q', ...args], { stdio: 'inherit' }).status !== 0);
  return fails ? undefined : folder;
}
