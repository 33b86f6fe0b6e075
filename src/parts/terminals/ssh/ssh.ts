import { UsageError } from '../../../base/errors.ts';
import type { DetachedProcessRecord, RunningProcess, StartOptions, TerminalBackend } from '../../../contracts/terminal.ts';
import { openRemoteHost } from '../remote/opening.ts';
import { sendRemote } from '../line/run.ts';
import { followRemote } from '../remote/running.ts';
import { openRemoteTerminal } from '../remote/session.ts';
import type { SyncOptions } from '../sync/sync.ts';
import { quoteShellWord } from '../../../base/shell.ts';
import { formatSshDestination, createSshPtyArguments, type SshSettings } from './command-lines.ts';
import { openSshLine, type SshLine } from './line.ts';

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
  open: async ({ cwd, env, ownFolder }) => {
    check(settings);
    const line = openSshLine(settings, env);
    return openRemoteTerminal({
      kind: KIND,
      line,
      cwd,
      env: Object.fromEntries(pass.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
      identity: identityOf(settings),
      ...(ownFolder === true && { ownFolder }),
      ...(sync !== undefined && { sync }),
      pty: (file) => onTerminal(settings, line, file, env),
    });
  },
});

const identityOf = (settings: SshSettings): Record<string, string | number> => ({
  destination: formatSshDestination(settings),
  port: settings.port ?? 22,
});

const onTerminal = (settings: SshSettings, line: SshLine, file: string, env: Readonly<Record<string, string>>) => ({
  file: 'ssh',
  args: createSshPtyArguments(settings, line.socket, file),
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
      throw new UsageError(`'${word}' is not the name of a host or a user. Check terminal.ssh_host and terminal.ssh_user.`);
  }
}

/** Why the host of a trace is not the one these settings name; `undefined` when it is. */
export function explainOtherHost({ identity }: DetachedProcessRecord, settings: SshSettings): string | undefined {
  const { destination: where, port } = identityOf(settings);
  if (identity['destination'] === where && identity['port'] === port) return undefined;
  return `it runs on ${String(identity['destination'])} (port ${String(identity['port'])}), which is not what terminal.ssh_host and the settings beside it name`;
}

/**
 * Takes up a process that an earlier one of ours started there; `undefined` when it was another host, or this one was
 * started anew. Throws a `LineError` when the host cannot be reached: then nobody knows, and it may be asked again.
 */
export async function adoptOverSsh(
  trace: DetachedProcessRecord,
  { settings }: SshOptions,
  env: Readonly<Record<string, string>>,
  options: StartOptions,
  heard = 0,
): Promise<RunningProcess | undefined> {
  if (trace.backend !== KIND || explainOtherHost(trace, settings) !== undefined) return undefined;
  const line = openSshLine(settings, env);
  const host = await openRemoteHost(line, '~').catch((error: unknown) => line.close().then(() => Promise.reject(error)));
  await sendRemote(line, `rm -rf -- ${quoteShellWord(host.room)}`);
  if (host.boot !== trace.identity['boot']) return line.close().then(() => undefined);
  return followRemote(line, trace, options, { heard, unheld: true, over: () => void line.close() });
}
