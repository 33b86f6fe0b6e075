import { encodeScriptInput, LineError, type RemoteShell } from '../line/line.ts';
import { quoteShellWord } from '../../../base/shell.ts';

/** What is asked once, before the first command. */
export interface RemoteHost {
  readonly home: string;
  /** For this session alone, with two empty files `a` and `b`. */
  readonly room: string;
  /** The folder that was asked for, or the home folder when that one is not there. */
  readonly cwd: string;
  /** A folder made for this session alone, which is removed with it; it holds `cwd` and a home. */
  readonly ownFolder?: string;
  /** What tells this system from the one that answers after it was started anew. */
  readonly boot: string;
}

const SIGN = 'hermes-ground';
/** A place that is woken or made may take a while; one that does not answer within this never does. */
const OPENING_MS = 60_000;

/** Asked for in place of a folder: one that the session alone has. */
export const OWN_FOLDER = Symbol('a folder of its own');
export type RemoteStart = string | typeof OWN_FOLDER;

/** Looks around there and makes a room. Throws a `LineError` that says what to do when there is no way in. */
export async function openRemoteHost(line: RemoteShell, start: RemoteStart): Promise<RemoteHost> {
  let heard = '';
  let complaint = '';
  const exec = line.exec(encodeScriptInput(groundScript(start)), {
    output: (bytes) => (heard += bytes.toString()),
    told: (bytes) => (complaint += bytes.toString()),
  });
  const timer = setTimeout(() => exec.release(), OPENING_MS);
  const words = await exec.over;
  clearTimeout(timer);
  // A banner of the host may stand before it.
  const [home, room, at, boot, own] = heard.split(`${SIGN}\0`)[1]?.split('\0') ?? [];
  if (home === undefined || room === undefined || at === undefined) throw new LineError(words ?? why(line, heard + complaint));
  return { home, room, cwd: at, boot: boot?.trim() ?? '', ...(own !== undefined && own !== '' && { ownFolder: own }) };
}

const why = (line: RemoteShell, said: string): string =>
  /not found|No such file/i.test(said)
    ? `There is no bash on ${line.name} (it said: ${said.trim()}). Commands need one there: install bash on it, or set terminal.backend.`
    : `${line.name} was reached, but no room for commands could be made there${said.trim() === '' ? '' : `: ${said.trim()}`}. Its temporary folder must be writable and not full.`;

/** `~` and what lies below it mean the home folder there. */
const groundScript = (start: RemoteStart): string =>
  [
    'umask 077; cd ~ 2>/dev/null || cd /; home=$(pwd -P)',
    'r=; for above in /dev/shm "${TMPDIR:-/tmp}"; do [ -w "$above" ] && r=$(mktemp -d "$above/hermes-shell-XXXXXXXXXX") && break; done',
    '[ -n "$r" ] && : >"$r/a" && : >"$r/b" || exit 1',
    ...enterScript(start),
    'boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null || sysctl -n kern.boottime 2>/dev/null)',
    `printf '${SIGN}\\0%s\\0%s\\0%s\\0%s\\0%s\\0' "$home" "$r" "$(pwd -P)" "$boot" "$own"`,
  ].join('\n');

/** A folder of its own that cannot be made or entered is an error: the home folder, which others share, does not take its place. */
function enterScript(start: RemoteStart): readonly string[] {
  if (start === OWN_FOLDER)
    return [
      'own=$(mktemp -d "${TMPDIR:-/tmp}/hermes-own-XXXXXXXXXX") && own=$(cd -- "$own" && pwd -P) && mkdir "$own/home" "$own/work" && cd -- "$own/work" || { rm -rf -- "$r"; exit 1; }',
    ];
  const folder = start === '~' ? '"$home"' : start.startsWith('~/') ? `"$home"/${quoteShellWord(start.slice(2))}` : quoteShellWord(start);
  return ['own=', `cd -- ${folder} 2>/dev/null`];
}

/** Ends what was started in a session's own folder and removes the folder, also what its commands made read-only. */
export const removeOwnFolder = (folder: string): string => {
  const own = quoteShellWord(folder);
  return [
    `for p in /proc/[0-9]*; do grep -qszxF -- HOME=${quoteShellWord(`${folder}/home`)} "$p/environ" && kill -9 "\${p#/proc/}"; done 2>/dev/null`,
    `chmod -R u+rwX -- ${own} 2>/dev/null; rm -rf -- ${own}`,
  ].join('\n');
};
