import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../../test/free-port.ts';

const VENV = resolve('.cache/venvs/atropos');
/** Its 21 requirements are those of trainers; the API needs three. */
const STEPS = [
  ['install', '-q', '--no-deps', 'atroposlib==0.4.0'],
  ['install', '-q', 'fastapi==0.163.0', 'uvicorn==0.54.0', 'pydantic==2.14.3'],
] as const;

/** Why the real API cannot be had here; nothing when it is there. */
export function installAtropos(): string | undefined {
  if (existsSync(join(VENV, 'bin/run-api')) && existsSync(join(VENV, 'bin/uvicorn'))) return undefined;
  mkdirSync(dirname(VENV), { recursive: true });
  if (spawnSync('python3', ['-m', 'venv', VENV], { stdio: 'inherit' }).status !== 0) return 'there is no python3 (3.10 or newer) with venv';
  for (const step of STEPS)
    if (spawnSync(join(VENV, 'bin/pip'), step, { stdio: ['ignore', 'inherit', 'ignore'] }).status !== 0)
      return `pip ${step.join(' ')} failed; pip install --no-deps atroposlib==0.4.0 && pip install fastapi uvicorn pydantic`;
  return undefined;
}

export interface RealApi extends AsyncDisposable {
  readonly url: string;
  /** Killed, and started again with nothing. */
  restart(): Promise<void>;
}

/** The real `run-api` on loopback. */
export async function startRealApi(log?: string): Promise<RealApi> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  let server = await start(port, url, log);
  const stop = async (): Promise<void> => {
    const ended = once(server, 'exit');
    if (server.exitCode === null && server.kill('SIGKILL')) await ended;
  };
  return {
    url,
    restart: async () => {
      await stop();
      server = await start(port, url, log);
    },
    [Symbol.asyncDispose]: stop,
  };
}

async function start(port: number, url: string, log?: string): Promise<ChildProcess> {
  const output = log === undefined ? 'ignore' : openSync(log, 'a');
  const server = spawn(join(VENV, 'bin/run-api'), ['--host', '127.0.0.1', '--port', String(port)], { stdio: ['ignore', output, output] });
  for (let tries = 0; tries < 200 && server.exitCode === null; tries++) {
    const up = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (up) return server;
    await sleep(100);
  }
  throw new Error('run-api did not start');
}
