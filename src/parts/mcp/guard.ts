import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { waitAtMost } from '../../base/waits.ts';

/**
 * A server never runs alone. It is started by this script, in a process group of its own, beside a watch that does nothing
 * but read descriptor 3, the lifeline to us. A line on it means: kill the server. Its end means that we are gone, however
 * that came about: the whole group is asked to end and then ended. When the server has gone by itself, its exit code is
 * told on the lifeline and whatever it left behind in the group is ended too. Both children are waited for, so that
 * nothing stays as a zombie where nobody collects them.
 */
const GUARD = `
trap : TERM
exec 4<&0 </dev/null
(exec "$@") <&4 3<&- 4<&- &
server=$!
exec 4<&- >/dev/null 2>&1
trap '' PIPE
(
  trap '' TERM
  while read -r _ <&3; do kill -KILL "$server"; done
  kill -TERM 0
  sleep 1
  kill -KILL "$server"
) &
watch=$!
wait "$server"
code=$?
while kill -0 "$server"; do wait "$server"; code=$?; done
echo "$code" >&3
kill -KILL "$watch"
wait "$watch"
kill -KILL 0
`;

/** How long a server may take to end by itself once its input is closed, then once it was told to. */
const EOF_GRACE_MS = 250;
const TERM_GRACE_MS = 500;
const KILL_GRACE_MS = 1_000;

export interface GuardedChild {
  readonly child: ChildProcessWithoutNullStreams;
  /** Settles when the server is gone, with its exit code where it is known. */
  readonly gone: Promise<number | undefined>;
  /** Ends the server and all it started: by the end of its input, by SIGTERM, by SIGKILL. Resolves when nobody is left. */
  end(): Promise<void>;
}
export interface ServerLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export function startGuarded({ command, args, env, cwd }: ServerLaunch): GuardedChild {
  const child = spawn('/bin/sh', ['-c', GUARD, 'mcp-guard', command, ...args], {
    cwd,
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- asked for as a pipe just above
  const lifeline = child.stdio[3] as Duplex;
  let told = '';
  lifeline.on('data', (chunk: Buffer) => (told += chunk.toString()));
  lifeline.on('error', () => {});
  child.stdin.on('error', () => {});
  const gone = new Promise<number | undefined>((resolve) => {
    const finish = () => {
      killGroup(child.pid, 'SIGKILL');
      // The lifeline may be read a moment after the exit is known.
      setImmediate(() => resolve(/^\d+/.test(told) ? Number.parseInt(told, 10) : undefined));
    };
    child.once('exit', finish);
    child.once('error', finish);
  });
  return { child, gone, end: () => endGuarded(child, lifeline, gone) };
}

async function endGuarded(child: ChildProcessWithoutNullStreams, lifeline: Duplex, gone: Promise<unknown>): Promise<void> {
  child.stdin.end();
  if (await waitAtMost(gone, EOF_GRACE_MS)) return;
  killGroup(child.pid, 'SIGTERM');
  if (await waitAtMost(gone, TERM_GRACE_MS)) return;
  // Not the group: the guard must live to collect its children.
  lifeline.write('kill\n');
  if (await waitAtMost(gone, KILL_GRACE_MS)) return;
  killGroup(child.pid, 'SIGKILL');
  await waitAtMost(gone, KILL_GRACE_MS);
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // Nobody is left in it.
  }
}
