import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { GitSshTarget } from './git-ssh-request.ts';
import { guardPush, type PushGuard } from './push-guard.ts';

/** One run of git over ssh, or of its part at a remote that is a folder. */
export interface GitCall {
  /** One of the three streams has come. */
  join(stream: string, socket: Socket): void;
}
type GitRemoteProcess = ReturnType<typeof startRemote>;

/** Starts when all three streams are there, and ends with any of the connections. A push goes through its guard. */
export function openGitCall(control: Socket, start: () => GitRemoteProcess, guard?: PushGuard): GitCall {
  const streams = new Map<string, Socket>();
  return {
    join: (stream, socket) => {
      if (!['in', 'out', 'err'].includes(stream) || streams.has(stream)) return void socket.destroy();
      streams.set(stream, socket);
      const [input, output, errors] = ['in', 'out', 'err'].map((name) => streams.get(name));
      if (input === undefined || output === undefined || errors === undefined) return;
      const child = start();
      const gone = new AbortController();
      const kill = () => {
        gone.abort();
        child.kill();
      };
      const end = (code: number) => {
        control.end(`exit ${code}\n`);
        input.destroy();
      };
      const onClose = (code: number | null) => end(code ?? 255);
      for (const each of [control, output]) each.once('close', kill);
      child.stdin.on('error', () => {});
      child.once('error', (error) => {
        errors.end(`${child.spawnfile} could not be started: ${error.message}\n`);
        control.end('exit 255\n');
      });
      child.stdout.pipe(output);
      child.stderr.pipe(errors);
      child.once('close', onClose);
      if (guard === undefined) return void input.pipe(child.stdin);
      const stop = () => {
        child.off('close', onClose);
        child.stdout.unpipe(output);
        child.stderr.unpipe(errors);
        child.kill();
      };
      guardPush(guard, { input, output, errors, sink: child.stdin, signal: gone.signal, stop, end: () => end(1) }).catch(() =>
        control.destroy(),
      );
    },
  };
}

/** What the owner's programs need to find their keys, hosts and settings; the rest of our environment is none of a remote's business. */
const KEPT = 'HOME PATH USER LOGNAME LANG LC_ALL SHELL SSH_AUTH_SOCK XDG_RUNTIME_DIR XDG_CONFIG_HOME KRB5CCNAME TMPDIR'.split(' ');
/** Nobody can be asked for a passphrase, and nothing but git's bytes goes through. */
const SAFE = ['-o', 'BatchMode=yes', '-o', 'ClearAllForwardings=yes', '-o', 'PermitLocalCommand=no', '-a', '-x', '-T'];

export interface RemoteOptions {
  /** What git inside says of the version of its protocol. */
  readonly protocol: string;
  readonly sshCommand: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The other side of git: the owner's ssh, or git itself in a folder of the owner's. */
export function startRemote(target: GitSshTarget, { protocol, sshCommand, env }: RemoteOptions) {
  const known = KEPT.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  const version = /^version=\d$/.test(protocol) ? { GIT_PROTOCOL: protocol } : {};
  const [file = 'ssh', ...words] =
    target.type === 'folder' ? ['git', 'receive-pack', target.path] : wordsForSsh(target, version, sshCommand);
  return spawn(file, words, { env: { ...Object.fromEntries(known), ...version }, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] });
}

function wordsForSsh(
  { remote, command }: Extract<GitSshTarget, { type: 'ssh' }>,
  version: object,
  sshCommand: string | undefined,
): string[] {
  const args = [
    ...SAFE,
    ...('GIT_PROTOCOL' in version ? ['-o', 'SendEnv=GIT_PROTOCOL'] : []),
    ...(remote.port === undefined ? [] : ['-p', String(remote.port)]),
    '--',
    remote.target,
    command,
  ];
  return sshCommand === undefined ? ['ssh', ...args] : ['/bin/sh', '-c', `${sshCommand} "$@"`, 'ssh', ...args];
}
