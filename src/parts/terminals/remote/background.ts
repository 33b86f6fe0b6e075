import type { DetachedProcessRecord } from '../../../contracts/terminal.ts';
import { quoteShellWord } from '../../../base/shell.ts';
import { COMMAND_ID_VARIABLE } from '../process/lineage.ts';

/**
 * Commands that go on without us. A keeper of ours starts the command as the leader of a group, with a pipe as its input
 * and a file as its output, and leaves pid and exit code in files beside it. Neither the end of the line nor our own end
 * touches any of that. Pure: scripts as text.
 */
const FILES = { log: 'log', exit: 'exit', input: 'in', pid: 'pid', keeper: 'keeper', script: 'script' } as const;
const folderOf = (trace: Pick<DetachedProcessRecord, 'log'>): string => trace.log.slice(0, trace.log.lastIndexOf('/'));

const SIGN = 'hermes-started';

/** Prints the folder, the group and the keeper. The command's script is its input, so that it may be of any length. */
export const createStartScript = (id: string): string =>
  [
    'umask 077; d=$(mktemp -d "${TMPDIR:-/tmp}/hermes-bg-XXXXXXXXXX") || exit 1',
    `cd "$d" && cat >${FILES.script} && mkfifo ${FILES.input} && : >${FILES.log} || exit 1`,
    'away=$(command -v setsid || command -v nohup)',
    `$away "\${BASH:-bash}" -c ${quoteShellWord(KEEPER)} keeper "$d" ${id} </dev/null >/dev/null 2>&1 &`,
    `i=0; while [ ! -s ${FILES.pid} ] && [ $i -lt 200 ]; do i=$((i+1)); sleep 0.05; done`,
    `printf '${SIGN}\\0%s\\0%s\\0%s\\0' "$d" "$(cat ${FILES.pid})" "$(cat ${FILES.keeper})"`,
  ].join('\n');

/**
 * Holds the pipe open, so that the command reads no end until it is told so by USR1. Its own end of the pipe is not handed
 * on. A `wait` that was woken by the signal is waited again.
 */
const KEEPER = [
  `cd "$1" || exit 1; trap 'exec 9>&-' USR1; trap '' HUP; exec 9<>${FILES.input}; echo $$ >${FILES.keeper}; s=$(cat ${FILES.script}); rm -f ${FILES.script}; set -m`,
  `(trap - HUP; export ${COMMAND_ID_VARIABLE}=$2; exec "\${BASH:-bash}" -c "$s" <${FILES.input} >>${FILES.log} 2>&1 9>&-) &`,
  `p=$!; echo $p >${FILES.pid}.new; mv ${FILES.pid}.new ${FILES.pid}`,
  'while :; do wait $p; c=$?; kill -0 $p 2>/dev/null || break; done',
  `echo $c >${FILES.exit}.new; mv ${FILES.exit}.new ${FILES.exit}`,
].join('\n');

/**
 * Sends what the log has from a byte on, as it grows, until the command has ended; then tells the size of it all, and the
 * exit code. The end is known by the file of the exit code: a keeper that has gone may stay in the table of processes for
 * as long as nobody buries it, and in many a container nobody does.
 */
export const createFollowScript = (trace: DetachedProcessRecord, at: number): string =>
  [
    `l=${quoteShellWord(trace.log)}; x=${quoteShellWord(trace.exit)}; k=${Number(trace.identity['keeper'])}; [ -e "$l" ] || { echo gone >&2; exit 0; }`,
    `tail -c +${at + 1} -f "$l" 2>/dev/null & t=$!`,
    'i=0; while [ ! -e "$x" ]; do i=$((i+1)); if [ $i -lt 50 ]; then sleep 0.1; else sleep 0.4; fi',
    // A keeper that was killed leaves no code.
    `[ $((i % 20)) -eq 0 ] || continue; kill -0 $k 2>/dev/null || break; case $(cat /proc/$k/stat 2>/dev/null) in *') Z '*) break ;; esac; done`,
    // What the reader has not sent by now is asked for once more.
    'sleep 0.05; kill $t 2>/dev/null',
    'echo "over $(wc -c <"$l") $(cat "$x" 2>/dev/null || echo -1)" >&2',
  ].join('\n');
/** What a follower told at its end. `gone`: the files are not there any more, and nobody will ever know. */
export function readFollowed(told: string): { readonly size: number; readonly code: number } | 'gone' | undefined {
  if (/^gone$/m.test(told)) return 'gone';
  const [, size, code] = /^over +(\d+) +(-?\d+)$/m.exec(told) ?? [];
  return size === undefined ? undefined : { size: Number(size), code: Number(code) };
}

/** Its input is what the script is given. A reader that has gone must not hold us. */
export const createInputScript = (trace: DetachedProcessRecord): string =>
  `kill -0 ${Number(trace.identity['keeper'])} 2>/dev/null && [ ! -e ${quoteShellWord(trace.exit)} ] && exec cat >${quoteShellWord(`${folderOf(trace)}/${FILES.input}`)}`;
export const createCloseInputScript = (trace: DetachedProcessRecord): string =>
  `kill -USR1 ${Number(trace.identity['keeper'])} 2>/dev/null`;
export const createRemovalScript = (trace: DetachedProcessRecord): string => `rm -rf -- ${quoteShellWord(folderOf(trace))}`;

interface StartedProcess {
  readonly folder: string;
  readonly pid: number;
  readonly keeper: number;
}
export function readStarted(output: string): StartedProcess | undefined {
  const [folder = '', pid = '', keeper = ''] = output.split(`${SIGN}\0`)[1]?.split('\0') ?? [];
  return /^\d+$/.test(pid) && /^\d+$/.test(keeper) ? { folder, pid: Number(pid), keeper: Number(keeper) } : undefined;
}
export const resolveProcessFiles = (folder: string): Pick<DetachedProcessRecord, 'log' | 'exit'> => ({
  log: `${folder}/${FILES.log}`,
  exit: `${folder}/${FILES.exit}`,
});
