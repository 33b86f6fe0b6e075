import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { delimiter, isAbsolute, join } from 'node:path';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import { readHeaderLines } from './header-lines.ts';
import { findGitSshTarget, listSshRemotes, type GitSshTarget } from './git-ssh-request.ts';
import type { OwnerHosts } from './owner-hosts.ts';
import { createGitSshShim, SHIM_NAME } from './git-ssh-shim.ts';

/**
 * Git over ssh without a key inside: a small program in ssh's place hands git's bytes to us, and we start the owner's ssh out
 * here, for the remotes of the project as they were and for git alone.
 */
export interface GitSsh {
  readonly variables: Readonly<Record<string, string>>;
  /** Takes up a connection of the program in ssh's place. */
  serve(socket: Socket): void;
  close(): void;
}
export interface GitSshOptions {
  readonly owner: OwnerHosts;
  /** The folder commands see as `/run/hermes/bin`. */
  readonly bin: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders commands may write to: nothing in them is run out here. */
  readonly writable: readonly string[];
}

const INSIDE_BIN = '/run/hermes/bin';
const HEADER_MS = 30_000;
const MAX_HEADER = 64 * 1024;
const MAX_LINES = 16;
/** Calls of ssh at once. */
const MAX_CALLS = 16;

/** `undefined` where bash is missing, which alone opens a connection without another program. */
export function installGitSsh({ owner, bin, env: given, writable }: GitSshOptions): GitSsh | undefined {
  const bash = ['/bin/bash', '/usr/bin/bash'].find((path) => existsSync(path));
  if (bash === undefined) return undefined;
  const env = { ...given, PATH: listFixedFolders(given['PATH'], writable) };
  const remotes = isFixed(owner.sshCommand, given['HOME'], writable) ? listSshRemotes(owner.remotes) : [];
  writeFileSync(join(bin, SHIM_NAME), createGitSshShim(bash), { mode: 0o755 });
  const calls = new Map<string, GitSshCall>();
  const open = new Set<Socket>();
  const take = async (socket: Socket) => {
    const lines = await readHeaderLines(socket, { limitMs: HEADER_MS, maxBytes: MAX_HEADER, count: countLines });
    const [verb = '', first = '', second = ''] = lines?.[0]?.split(' ') ?? [];
    if (lines === undefined) return void socket.destroy();
    if (verb !== 'run') {
      const call = calls.get(first);
      return call === undefined ? void socket.destroy() : call.join(verb, socket);
    }
    const wanted = findGitSshTarget(lines.slice(1), remotes);
    if (typeof wanted === 'string') return void socket.end(`no ${wanted}\n`);
    if (calls.size >= MAX_CALLS) return void socket.end('no Too many git operations are running at once.\n');
    const id = randomUUID();
    calls.set(
      id,
      openCall(socket, () => startSsh(wanted, second, owner.sshCommand, env)),
    );
    socket.once('close', () => calls.delete(id));
    socket.write(`id ${id}\n`);
  };
  return {
    variables: { GIT_SSH_COMMAND: `${INSIDE_BIN}/${SHIM_NAME}`, GIT_SSH_VARIANT: 'ssh' },
    serve: (socket) => {
      if (open.size >= MAX_CALLS * 4) return void socket.destroy();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      socket.on('error', () => socket.destroy());
      take(socket).catch(() => socket.destroy());
    },
    close: () => {
      for (const socket of open) socket.destroy();
    },
  };
}

/** The folders of a `PATH` in which commands cannot put a program of their own. */
const listFixedFolders = (path: string | undefined, writable: readonly string[]): string =>
  (path ?? '/usr/bin:/bin')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !writable.some((each) => isWithin(each, realPath(folder) ?? folder)))
    .join(delimiter);

/** Whether the owner's way to call ssh names nothing that commands may write to: a file of settings there could name programs. */
function isFixed(sshCommand: string | undefined, home: string | undefined, writable: readonly string[]): boolean {
  const words = (sshCommand ?? '').replaceAll(/~(?=\/)|\$\{?HOME\}?/g, home ?? '~');
  return !writable.some((folder) => words.includes(folder));
}

/** `run 3 version=2` has three lines after it; every other first line stands alone. */
const countLines = (first: string): number => {
  const [, words] = /^run (\d{1,2}) /.exec(first) ?? [];
  return words === undefined ? 1 : 1 + Math.min(Number(words), MAX_LINES);
};

interface GitSshCall {
  /** One of the three streams has come. */
  join(stream: string, socket: Socket): void;
}
type SshProcess = ReturnType<typeof startSsh>;

/** Starts when all three streams are there, and ends with any of the connections. */
function openCall(control: Socket, start: () => SshProcess): GitSshCall {
  const streams = new Map<string, Socket>();
  return {
    join: (stream, socket) => {
      if (!['in', 'out', 'err'].includes(stream) || streams.has(stream)) return void socket.destroy();
      streams.set(stream, socket);
      const [input, output, errors] = ['in', 'out', 'err'].map((name) => streams.get(name));
      if (input === undefined || output === undefined || errors === undefined) return;
      const child = start();
      const stop = () => void child.kill();
      for (const each of [control, output]) each.once('close', stop);
      child.stdin.on('error', () => {});
      child.once('error', (error) => {
        errors.end(`ssh could not be started: ${error.message}\n`);
        control.end('exit 255\n');
      });
      input.pipe(child.stdin);
      child.stdout.pipe(output);
      child.stderr.pipe(errors);
      child.once('close', (code) => {
        control.end(`exit ${code ?? 255}\n`);
        input.destroy();
      });
    },
  };
}

/** What the owner's ssh needs to find its keys and hosts; the rest of our environment is none of a remote's business. */
const SSH_ENVIRONMENT = 'HOME PATH USER LOGNAME LANG LC_ALL SHELL SSH_AUTH_SOCK XDG_RUNTIME_DIR XDG_CONFIG_HOME KRB5CCNAME TMPDIR'.split(
  ' ',
);
/** Nobody can be asked for a passphrase, and nothing but git's bytes goes through. */
const SAFE = ['-o', 'BatchMode=yes', '-o', 'ClearAllForwardings=yes', '-o', 'PermitLocalCommand=no', '-a', '-x', '-T'];

function startSsh({ remote, command }: GitSshTarget, protocol: string, sshCommand: string | undefined, env: GitSshOptions['env']) {
  const known = SSH_ENVIRONMENT.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  const version = /^version=\d$/.test(protocol) ? { GIT_PROTOCOL: protocol } : {};
  const args = [
    ...SAFE,
    ...('GIT_PROTOCOL' in version ? ['-o', 'SendEnv=GIT_PROTOCOL'] : []),
    ...(remote.port === undefined ? [] : ['-p', String(remote.port)]),
    '--',
    remote.target,
    command,
  ];
  const [file, ...words] = sshCommand === undefined ? ['ssh', ...args] : ['/bin/sh', '-c', `${sshCommand} "$@"`, 'ssh', ...args];
  return spawn(file ?? 'ssh', words, { env: { ...Object.fromEntries(known), ...version }, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] });
}
