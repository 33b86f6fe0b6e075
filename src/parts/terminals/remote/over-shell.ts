import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { ShellPlace, Terminal } from '../../../contracts/terminal.ts';
import { openRemoteTerminal } from './session.ts';
import { READER, type Exec, type OutputHandlers, type RemoteShell } from '../line/line.ts';

/** How long the streams of a program that has gone are still listened to; something it left may hold one of them. */
const DRAIN_MS = 150;

/** A whole terminal over one command line that starts a bash somewhere. */
export const openOverShell = (place: ShellPlace): Promise<Terminal> =>
  openRemoteTerminal({
    kind: place.kind,
    line: openProgramLine(place),
    cwd: place.cwd,
    env: place.env ?? {},
    identity: { place: place.name },
    passing: true,
  });

/** One program for each script. */
function openProgramLine({ name, command, close }: ShellPlace): RemoteShell {
  return {
    name,
    exec: (input, hear) => startProgram(name, command(READER), input, hear),
    close: async () => close?.(),
  };
}

function startProgram(name: string, [file = '', ...args]: readonly string[], input: Buffer, hear: OutputHandlers): Exec {
  const child = spawn(file, args, { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const over = Promise.withResolvers<string | undefined>();
  child.stdout.on('data', hear.output);
  child.stderr.on('data', hear.told);
  // A command that does not read its input closes the pipe; that is its right.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  child.once('error', (error) => over.resolve(`${name} cannot be reached: ${file} could not be started: ${error.message}`));
  child.once('exit', () => {
    setTimeout(() => over.resolve(undefined), DRAIN_MS);
    child.once('close', () => over.resolve(undefined));
  });
  return {
    over: over.promise,
    unref: () => {
      child.unref();
      for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
    },
    release: () => {
      for (const stream of child.stdio) stream?.destroy();
      child.kill();
      child.unref();
    },
  };
}
