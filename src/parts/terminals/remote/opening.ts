import { encodeScriptInput, LineError, type RemoteShell } from '../line/line.ts';
import { quoteShellWord } from '../../../base/shell.ts';

/** What is asked once, before the first command. */
export interface RemoteHost {
  readonly home: string;
  /** For this session alone, with two empty files `a` and `b`. */
  readonly room: string;
  /** The folder that was asked for, or the home folder when that one is not there. */
  readonly cwd: string;
  /** What tells this system from the one that answers after it was started anew. */
  readonly boot: string;
}

const SIGN = 'hermes-ground';
/** A place that is woken or made may take a while; one that does not answer within this never does. */
const OPENING_MS = 60_000;

/** Looks around there and makes a room. Throws a `LineError` that says what to do when there is no way in. */
export async function openRemoteHost(line: RemoteShell, cwd: string): Promise<RemoteHost> {
  let heard = '';
  let complaint = '';
  const exec = line.exec(encodeScriptInput(groundScript(cwd)), {
    output: (bytes) => (heard += bytes.toString()),
    told: (bytes) => (complaint += bytes.toString()),
  });
  const timer = setTimeout(() => exec.release(), OPENING_MS);
  const words = await exec.over;
  clearTimeout(timer);
  // A banner of the host may stand before it.
  const [home, room, at, boot] = heard.split(`${SIGN}\0`)[1]?.split('\0') ?? [];
  if (home === undefined || room === undefined || at === undefined) throw new LineError(words ?? why(line, heard + complaint));
  return { home, room, cwd: at, boot: boot?.trim() ?? '' };
}

const why = (line: RemoteShell, said: string): string =>
  /not found|No such file/i.test(said)
    ? `There is no bash on ${line.name} (it said: ${said.trim()}). Commands need one there: install bash on it, or set terminal.backend.`
    : `${line.name} was reached, but no room for commands could be made there${said.trim() === '' ? '' : `: ${said.trim()}`}. Its temporary folder must be writable and not full.`;

/** `~` and what lies below it mean the home folder there. */
const groundScript = (cwd: string): string =>
  [
    'umask 077; cd ~ 2>/dev/null || cd /; home=$(pwd -P)',
    'r=; for above in /dev/shm "${TMPDIR:-/tmp}"; do [ -w "$above" ] && r=$(mktemp -d "$above/hermes-shell-XXXXXXXXXX") && break; done',
    '[ -n "$r" ] && : >"$r/a" && : >"$r/b" || exit 1',
    `cd -- ${cwd === '~' ? '"$home"' : cwd.startsWith('~/') ? `"$home"/${quoteShellWord(cwd.slice(2))}` : quoteShellWord(cwd)} 2>/dev/null`,
    'boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null || sysctl -n kern.boottime 2>/dev/null)',
    `printf '${SIGN}\\0%s\\0%s\\0%s\\0%s\\0' "$home" "$r" "$(pwd -P)" "$boot"`,
  ].join('\n');
