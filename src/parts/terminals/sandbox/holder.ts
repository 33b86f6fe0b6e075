import { spawn } from 'node:child_process';
import { attempt } from '../../../base/peek.ts';
import { parseJson, readNumberAt } from '../../../base/json.ts';
import { withoutInherited } from './inherited.ts';
import type { BubblewrapTools } from './tools.ts';

/** A process that stands for a sandbox. It ends with us, because its input is a pipe of ours. */
export interface HeldProcess {
  alive(): boolean;
  /** Lets it go: what it does at the end of its input. */
  release(): void;
  /** Settles when it has ended. */
  readonly exited: Promise<void>;
}
/** The process whose namespaces are the sandbox. Every command enters them; when it goes, all of them go. */
export interface SandboxHolder extends Pick<HeldProcess, 'alive'> {
  /** Its pid out here. */
  readonly pid: number;
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

/** An empty environment: that of a first process can be read from inside. */
export async function startHolder({ tools: { bwrap, unshare }, args, preparation }: HolderOptions): Promise<SandboxHolder> {
  const inside = [bwrap, '--info-fd', '3', ...args, '--', '/bin/sh', '-c', `echo ${READY}; exec cat >/dev/null 2>&1`];
  const around =
    preparation === undefined || unshare === undefined
      ? []
      : [unshare, '--user', '--map-root-user', '--mount', '--', '/bin/sh', '-c', preparation, 'sh'];
  const { ready: pid, ...held } = await startHeld(
    [...withoutInherited(), ...around, ...inside],
    around.length === 0 ? {} : { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    (said, info) => (said.includes(READY) ? readNumberAt(parseJson(info), 'child-pid') : undefined),
  );
  const end = async (): Promise<void> => {
    attempt(() => process.kill(pid, 'SIGKILL'));
    held.release();
    await held.exited;
  };
  return { pid, alive: held.alive, end };
}

/** Starts one, and waits until what it says on its output and on descriptor 3 means that it is ready. */
export function startHeld<Ready>(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  readReady: (said: string, info: string) => Ready | undefined,
): Promise<HeldProcess & { readonly ready: Ready }> {
  const [file = '', ...args] = words;
  const child = spawn(file, args, { cwd: '/', env, detached: true, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
  const streams = child.stdio.slice(1);
  const said = streams.map(() => '');
  const { promise, resolve, reject } = Promise.withResolvers<HeldProcess & { readonly ready: Ready }>();
  const fail = (why: string): void => (clearTimeout(timer), reject(new Error(`the sandbox could not be made: ${why}`)));
  const timer = setTimeout(() => (child.kill('SIGKILL'), fail(`it was not ready within ${START_MS / 1000} s`)), START_MS);
  const exited = new Promise<void>((ended) => child.once('exit', () => ended()));
  let gone = false;
  const look = (): void => {
    const ready = readReady(said[0] ?? '', said[2] ?? '');
    if (ready === undefined) return;
    clearTimeout(timer);
    for (const stream of streams) stream?.destroy();
    child.unref();
    resolve({ ready, exited, alive: () => !gone, release: () => (child.ref(), child.stdin?.destroy()) });
  };
  for (const [index, stream] of streams.entries())
    stream?.on('data', (chunk: Buffer) => ((said[index] = `${said[index]}${chunk.toString()}`.slice(-MAX_SAID)), look()));
  child.stdin?.on('error', () => {});
  child.once('error', (error) => fail(error.message));
  child.once('exit', () => ((gone = true), fail(said[1]?.trim() || 'the program ended without a word')));
  return promise;
}
const MAX_SAID = 2_000;
