import { spawn, type ChildProcess } from 'node:child_process';

/**
 * Process groups that must not outlive this process, however it goes. Nobody can catch a SIGKILL, but a pipe ends with its
 * writer: one small shell for all of them reads which groups there are, and ends what is left of them when the pipe does.
 * The commands themselves carry nothing of it, no process, no descriptor, and a call costs one write. Gives the way to let
 * a group go, once its leader is over: what that left behind is meant to stay.
 */
export function endGroupOnExit(group: number | undefined): () => void {
  if (group === undefined) return () => {};
  groups.add(group);
  if (watcher === undefined) watcher = startWatcher();
  else tell(watcher, `+ ${group}`);
  return () => {
    if (groups.delete(group) && watcher !== undefined) tell(watcher, `- ${group}`);
  };
}

const groups = new Set<number>();
let watcher: ChildProcess | undefined;

/** Politely first, then for good, as everywhere. A list in one word, because that is all a plain shell has. */
const SCRIPT = `groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% "$group" *} \${groups#* "$group" }" ;;
  esac
done
set -- $groups
[ $# -gt 0 ] || exit 0
for group; do kill -TERM "-$group"; done
sleep 0.1
for group; do kill -KILL "-$group"; done`;

/** In a session of its own: whatever ends us, a closed window or a signal to all of our group, must not end it. */
function startWatcher(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', SCRIPT], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const forget = () => void (watcher === child && (watcher = undefined));
  // It never started: the next command tries again.
  child.once('error', forget);
  child.once('exit', (_code, signal) => {
    forget();
    // Somebody killed it while commands run: they need another now, not with the next command.
    if (signal !== null && groups.size > 0) watcher ??= startWatcher();
  });
  child.stdin?.on('error', () => {}); // its exit says the same
  // Neither it nor its pipe keeps us.
  child.unref();
  if (child.stdin !== null && 'unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  for (const group of groups) tell(child, `+ ${group}`);
  return child;
}

const tell = (child: ChildProcess, words: string): void => void child.stdin?.write(`${words}\n`);
