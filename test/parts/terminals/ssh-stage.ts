import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SshSettings } from '../../../src/parts/terminals/ssh/command-lines.ts';

const SSHD = '/usr/sbin/sshd';

/** Why no host can be played here; told by the tests that are skipped. */
export const noSshd: string | undefined = whyNot();
if (noSshd !== undefined) console.log(`ssh: skipped, ${noSshd}`);

function whyNot(): string | undefined {
  if (!existsSync(SSHD)) return `there is no ${SSHD} (apt install openssh-server)`;
  try {
    execFileSync('ssh', ['-V'], { stdio: 'ignore' });
    // sshd wants it, and nobody but the package's own start-up script makes it.
    if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
    return process.getuid?.() === 0 && !existsSync('/run/sshd') ? 'there is no /run/sshd' : undefined;
  } catch (error) {
    return `ssh cannot be run: ${String(error)}`;
  }
}

/** A real sshd on loopback with keys of its own; everything of it lies in one folder. */
export interface Host {
  readonly settings: SshSettings;
  readonly folder: string;
  /** Ends every connection, as a network that breaks does. */
  cut(): void;
  /** Ends the server, and later starts it again, with the same keys or another host key. */
  stop(): Promise<void>;
  start(hostKey?: string): Promise<void>;
  newKey(name: string): string;
  close(): Promise<void>;
}

/** `more` are further lines of the server's configuration. */
export async function startHost(more: readonly string[] = []): Promise<Host> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-sshd-')));
  mkdirSync(join(folder, 'home'));
  const newKey = (name: string): string => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', join(folder, name)]);
    return join(folder, name);
  };
  const [port, hostKey, key] = [await freePort(), newKey('host'), newKey('user')];
  execFileSync('cp', [`${key}.pub`, join(folder, 'authorized')]);
  let server: ChildProcess | undefined;
  const start = async (withKey = hostKey) => {
    writeFileSync(join(folder, 'config'), [...more, configOf(port, withKey, folder)].join('\n'));
    server = spawn(SSHD, ['-D', '-e', '-f', join(folder, 'config')], { stdio: 'ignore', env: { PATH: process.env['PATH'] ?? '' } });
    await answering(port);
  };
  const stop = async () => {
    const gone = new Promise((resolve) => server?.once('exit', resolve));
    server?.kill('SIGKILL');
    await gone;
  };
  await start();
  return {
    settings: { host: '127.0.0.1', user: userInfo().username, port, key, options: [`UserKnownHostsFile=${join(folder, 'known')}`] },
    folder,
    cut: () => connectionsOf(server?.pid).forEach(end),
    stop,
    start,
    newKey,
    close: async () => {
      connectionsOf(server?.pid).forEach(end);
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went by itself.
  }
}

const configOf = (port: number, hostKey: string, folder: string): string =>
  [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${join(folder, 'authorized')}`,
    `PidFile ${join(folder, 'pid')}`,
    // Not the home of whoever runs the tests, and none of its start-up files.
    `SetEnv HOME=${join(folder, 'home')}`,
    'UsePAM no',
    'StrictModes no',
    'PermitRootLogin yes',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'MaxSessions 100',
    'MaxStartups 100',
    '',
  ].join('\n');

/**
 * The processes that carry a connection: those of the server's own program that it or one of them forked. For root it is one
 * for each connection, for an ordinary user a second one below it.
 */
function connectionsOf(server: number | undefined): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' }).trim().split('\n');
  const forked = rows.map((row) => row.trim().split(/\s+/)).filter(([, , program]) => program?.startsWith('sshd') === true);
  const below = (parent: number): number[] =>
    forked.flatMap(([pid, ppid]) => (Number(ppid) === parent ? [Number(pid), ...below(Number(pid))] : []));
  return server === undefined ? [] : below(server);
}

/** Why the host gives no pseudo-terminal: an ordinary user's sshd may not hand one over where /dev/pts belongs to no group. */
export function noFarPty({ settings: { host, user, port, key, options = [] } }: Host): string | undefined {
  const args = [...options.flatMap((option) => ['-o', option]), '-o', 'BatchMode=yes', '-o', 'StrictHostKeyChecking=accept-new'];
  const { status } = spawnSync('ssh', ['-F', 'none', '-tt', ...args, '-i', `${key}`, '-p', `${port}`, `${user}@${host}`, 'true']);
  return status === 0 ? undefined : `sshd gives ${user} no pseudo-terminal here (exit code ${status})`;
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port'))));
    });
  });

async function answering(port: number): Promise<void> {
  const { connect } = await import('node:net');
  for (let tries = 0; tries < 100; tries++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)));
      socket.once('error', () => resolve(false));
    });
    if (open) return;
    await sleep(20);
  }
  throw new Error('sshd did not start');
}

/** What our own ssh needs of the environment. */
export const hereEnv = (): Record<string, string> => ({ PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: userInfo().homedir });
