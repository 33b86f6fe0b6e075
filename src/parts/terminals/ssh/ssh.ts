import { UsageError } from '../../../base/errors.ts';
import type { ProcessTrace, Running, StartOptions, TerminalBackend } from '../../../contracts/terminal.ts';
import { openRemoteHost } from '../remote/opening.ts';
import { sayFar } from '../line/run.ts';
import { followFar } from '../remote/running.ts';
import { openFar } from '../remote/session.ts';
import type { SyncOptions } from '../sync/sync.ts';
import { shellWord } from '../../../base/shell.ts';
import { sshDestination, ptyArguments, type SshSettings } from './command-lines.ts';
import { sshLine, type SshLine } from './line.ts';

export interface SshOptions {
  readonly settings: SshSettings;
  /** Names of variables that commands there get of ours; everything else they get from their own login. */
  readonly pass?: readonly string[];
  /** Files of the profile that go along and come back. */
  readonly sync?: SyncOptions;
}
const KIND = 'ssh';

/** Commands on another host, through the ssh of this system. */
export const sshTerminal = ({ settings, pass = [], sync }: SshOptions): TerminalBackend => ({
  kind: KIND,
  open: async ({ cwd, env }) => {
    check(settings);
    const line = sshLine(settings, env);
    return openFar({
      kind: KIND,
      line,
      cwd,
      env: Object.fromEntries(pass.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
      identity: identityOf(settings),
      ...(sync !== undefined && { sync }),
      pty: (file) => onTerminal(settings, line, file, env),
    });
  },
});

const identityOf = (settings: SshSettings): Record<string, string | number> => ({
  destination: sshDestination(settings),
  port: settings.port ?? 22,
});

const onTerminal = (settings: SshSettings, line: SshLine, file: string, env: Readonly<Record<string, string>>) => ({
  file: 'ssh',
  args: ptyArguments(settings, line.socket, file),
  env: { ...env, TERM: 'xterm-256color' },
  // The command itself was ended there; what is left is a client with nothing to say.
  end: async (pid: number) => (kill(pid), false),
});

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It went by itself.
  }
}

/** A name that ssh would take for an option, or none at all, is told before anything is run. */
function check({ host, user }: SshSettings): void {
  if (host === '') throw new UsageError('terminal.backend is ssh, but no host is named. Set terminal.ssh_host (or TERMINAL_SSH_HOST).');
  for (const word of [host, user ?? 'x']) {
    if (word.startsWith('-') || /[\s\0]/.test(word))
      throw new UsageError(`'${word}' is no name of a host or a user. Check terminal.ssh_host and terminal.ssh_user.`);
  }
}

/** Why the host of a trace is not the one these settings name; `undefined` when it is. */
export function otherHost({ identity }: ProcessTrace, settings: SshSettings): string | undefined {
  const { destination: where, port } = identityOf(settings);
  if (identity['destination'] === where && identity['port'] === port) return undefined;
  return `it runs on ${String(identity['destination'])} (port ${String(identity['port'])}), which is not what terminal.ssh_host and the settings beside it name`;
}

/**
 * Takes up a process that an earlier one of ours started there; `undefined` when it was another host, or this one was
 * started anew. Throws a `LineError` when the host cannot be reached: then nobody knows, and it may be asked again.
 */
export async function adoptOverSsh(
  trace: ProcessTrace,
  { settings }: SshOptions,
  env: Readonly<Record<string, string>>,
  options: StartOptions,
  heard = 0,
): Promise<Running | undefined> {
  if (trace.backend !== KIND || otherHost(trace, settings) !== undefined) return undefined;
  const line = sshLine(settings, env);
  const host = await openRemoteHost(line, '~').catch((error: unknown) => line.close().then(() => Promise.reject(error)));
  await sayFar(line, `rm -rf -- ${shellWord(host.room)}`);
  if (host.boot !== trace.identity['boot']) return line.close().then(() => undefined);
  return followFar(line, trace, options, { heard, unheld: true, over: () => void line.close() });
}
