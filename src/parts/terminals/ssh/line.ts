import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Exec, OutputHandlers, RemoteShell } from '../line/line.ts';
import { createSshCloseArguments, formatSshDestination, createSshExecArguments, type SshSettings } from './command-lines.ts';
import { describeSshFailure } from './failures.ts';
import { createSocketPath } from './socket.ts';

export interface SshLine extends RemoteShell {
  readonly socket: string;
}
/** How long the streams of an ssh that has gone are still listened to; the master it left may hold one of them. */
const DRAIN_MS = 150;
/** The code ssh gives for troubles of its own. */
const BROKEN = 255;

/** One ssh for each script, all over one connection that the first of them opens and a later one opens again. */
export function openSshLine(settings: SshSettings, env: Readonly<Record<string, string>>): SshLine {
  const socket = createSocketPath();
  return {
    name: formatSshDestination(settings),
    socket,
    exec: (input, hear) => sshExec(settings, createSshExecArguments(settings, socket), env, input, hear),
    close: () =>
      new Promise((resolve) => {
        const child = spawn('ssh', createSshCloseArguments(settings, socket), { env: { ...env }, stdio: 'ignore' });
        const done = () => (rmSync(socket, { force: true }), resolve());
        child.once('error', done);
        child.once('exit', done);
      }),
  };
}

function sshExec(settings: SshSettings, args: string[], env: Readonly<Record<string, string>>, input: Buffer, hear: OutputHandlers): Exec {
  const child = spawn('ssh', args, { env: { ...env }, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const over = Promise.withResolvers<string | undefined>();
  let said = '';
  child.stdout.on('data', hear.output);
  child.stderr.on('data', (bytes: Buffer) => {
    said = (said + bytes.toString()).slice(-8_000);
    hear.told(bytes);
  });
  child.stdin.on('error', () => {}); // a command that does not read its input closes the pipe; that is its right
  child.stdin.end(input);
  child.once('error', (error) => over.resolve(noProgram(error)));
  child.once('exit', (code) => {
    const done = () => over.resolve(code === BROKEN ? describeSshFailure(settings, withoutFrames(said)) : undefined);
    setTimeout(done, DRAIN_MS);
    child.once('close', done);
  });
  return {
    over: over.promise,
    unref: () => {
      child.unref();
      endWithUs(child);
      for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
    },
    release: () => {
      for (const stream of child.stdio) stream?.destroy();
      // This one process alone: the master, which others talk through, may be its child and in its group.
      child.kill();
      child.unref();
    },
  };
}

/** A listener that does not keep us alive does not stay behind either, as it would until the command far away has ended. */
function endWithUs(child: ChildProcess): void {
  unheld ??= onExit();
  unheld.add(child);
  child.once('exit', () => unheld?.delete(child));
}
let unheld: Set<ChildProcess> | undefined;
function onExit(): Set<ChildProcess> {
  const children = new Set<ChildProcess>();
  process.once('exit', () => children.forEach((each) => each.kill()));
  return children;
}

/** What the script told on the same stream is no complaint. */
const withoutFrames = (said: string): string =>
  said
    .split('\n')
    .filter((line) => !/^hermes-[0-9a-f]+ |^[+^-]\//.test(line))
    .join('\n');

const noProgram = (error: Error): string =>
  'code' in error && error.code === 'ENOENT'
    ? 'There is no ssh on this machine. Install the OpenSSH client (`apt install openssh-client`), or set terminal.backend.'
    : `ssh could not be started: ${error.message}`;
