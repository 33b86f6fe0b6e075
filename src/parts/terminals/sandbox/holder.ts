import { spawn } from 'node:child_process';
import { readNumberAt, parseJson } from '../../../base/json.ts';
import { withoutInherited } from './inherited.ts';
import type { BubblewrapTools } from './tools.ts';

/** The process whose namespaces are the sandbox. Every command enters them; when it goes, all of them go. */
export interface SandboxHolder {
  /** Its pid out here. */
  readonly pid: number;
  alive(): boolean;
  /** Ends it, and with it everything inside, whatever it did to get away. */
  end(): Promise<void>;
}

const READY = 'ready';
const START_MS = 10_000;

export interface HolderOptions {
  readonly tools: Pick<BubblewrapTools, 'bwrap' | 'unshare'>;
  /** What bubblewrap is told, up to the program. */
  readonly args: readonly string[];
  /** A script that mounts what bubblewrap cannot, and ends in `exec "$@"`; needs `unshare`. */
  readonly preparation?: string;
}

/** An empty environment: that of a first process can be read from inside. Its input is a pipe that ends with us, as it does. */
export function startHolder({ tools: { bwrap, unshare }, args, preparation }: HolderOptions): Promise<SandboxHolder> {
  const inside = [bwrap, '--info-fd', '3', ...args, '--', '/bin/sh', '-c', `echo ${READY}; exec cat >/dev/null 2>&1`];
  const around =
    preparation === undefined || unshare === undefined
      ? []
      : [unshare, '--user', '--map-root-user', '--mount', '--', '/bin/sh', '-c', preparation, 'sh'];
  const [file = bwrap, ...rest] = [...withoutInherited(), ...around, ...inside];
  const child = spawn(file, rest, {
    env: around.length === 0 ? {} : { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const [, stdout, stderr, info] = child.stdio;
  let told = '';
  let said = '';
  let complaint = '';
  let gone = false;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return new Promise<SandboxHolder>((resolve, reject) => {
    const timer = setTimeout(() => (child.kill('SIGKILL'), fail(`it was not ready within ${START_MS / 1000} s`)), START_MS);
    const fail = (why: string) => {
      clearTimeout(timer);
      reject(new Error(`the sandbox could not be made: ${why}`));
    };
    const look = () => {
      const pid = readNumberAt(parseJson(told), 'child-pid');
      if (pid === undefined || !said.includes(READY)) return;
      clearTimeout(timer);
      for (const stream of [stdout, stderr, info]) stream?.destroy();
      child.unref();
      resolve({ pid, alive: () => !gone, end: () => (child.ref(), kill(pid), child.stdin?.destroy(), exited) });
    };
    stdout?.on('data', (chunk: Buffer) => ((said += chunk.toString()), look()));
    stderr?.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2_000)));
    info?.on('data', (chunk: Buffer) => ((told += chunk.toString()), look()));
    child.stdin?.on('error', () => {});
    child.once('error', (error) => fail(error.message));
    child.once('exit', () => ((gone = true), fail(complaint.trim() || 'bubblewrap ended without a word')));
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went by itself.
  }
}
