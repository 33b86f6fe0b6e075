import { quoteShellWord } from '../../../base/shell.ts';
import { LOWER_LIMIT } from '../process/limit-mark.ts';
import { COMMAND_ID_VARIABLE } from '../process/lineage.ts';

/**
 * One script around every command, whatever the place is: it takes up the variables, functions, aliases and options an
 * earlier command left, runs the command, leaves what the next one shall take up, and tells where the shell stood.
 * Pure: text in, text out. All of it is done by the shell that runs the command; no process is started for it.
 */
export interface WrapOptions {
  readonly command: string;
  /** A place without bash carries the folder over, and nothing else. */
  readonly shell: 'bash' | 'sh';
  readonly snapshot?: ShellSnapshot;
  /** Far places: the folder to go to first. Exit code 126 and nothing run when it is not there. */
  readonly cwd?: string;
  /** If that folder is gone, the nearest above it will do, and is told. */
  readonly orAbove?: boolean;
  /** A file for the exit code of something that nobody waits for. */
  readonly exit?: string;
  /** The end is told on descriptor 3, which the command itself does not see. Absent for what runs in the background. */
  readonly tell?: EndReport;
}
/** Where there is no descriptor 3, the output carries it, at its end and between marks that nobody can guess. */
export interface EndReport {
  readonly mark?: string;
}
/** Files in the place where the command runs, in a folder only its owner can look into. */
export interface ShellSnapshot {
  /** What an earlier command left; absent for the first. */
  readonly from?: string;
  /** Where this one leaves its own. Never the same file: a command that is killed meanwhile must not spoil the earlier one. */
  readonly into?: string;
  /**
   * Names the environment of the shell was made of. Those whose value is still the same are left out of the snapshot: a
   * secret that came with the session is not written down unless a command made another of it.
   */
  readonly given?: readonly string[];
}
/** What a command told at its end. */
export interface CommandEnd {
  readonly cwd: string;
  /** The snapshot it was given to write is whole. */
  readonly left: boolean;
  /** It could not begin where it should, and began here. */
  readonly movedTo?: string;
}

/** One line before the command's first: what the shell says of line 3 is then line 3 of the command. */
export function wrapCommand(wrapped: WrapOptions): string {
  const { cwd, shell, tell, orAbove } = wrapped;
  const first = [
    // One stream from the beginning: two pipes are read in no order, and an error would stand beside the wrong line.
    'exec 2>&1',
    ...(shell === 'bash' ? [LOWER_LIMIT] : []),
    ...(tell?.mark === undefined ? [] : ['exec 3>&1']),
    ...(cwd === undefined ? [] : [orAbove === true ? goAbove(cwd, tell?.mark ?? '') : `cd -- ${quoteShellWord(cwd)} || exit 126`]),
  ];
  return [...first, shell === 'bash' ? inBash(wrapped) : inPlainShell(wrapped)].join('; ');
}

/** Told at once, before the command can fail or be ended. */
const goAbove = (cwd: string, mark: string): string =>
  `__hermes_to=${quoteShellWord(cwd)}; cd -- "$__hermes_to" 2>/dev/null || { until cd -- "$__hermes_to" 2>/dev/null; do __hermes_to=\${__hermes_to%/*}; ` +
  `__hermes_to=\${__hermes_to:-/}; done; printf '%s^%s\\n%s' '${mark}' "$__hermes_to" '${mark}' >&3; }; unset __hermes_to`;

/** One word for bash that stands in one line: it counts the lines of what it evaluates from where the word ends. */
const onOneLine = (text: string): string => `$'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

/** Reads what a command told; `undefined` when it told nothing or was cut off while it spoke. */
export function parseCommandEnd(text: string): CommandEnd | undefined {
  const [, movedTo, sign, cwd] = /^(?:\^(\/.*)\n)?([+-])(\/[^]*)\n$/.exec(text) ?? [];
  return cwd === undefined ? undefined : { cwd, left: sign === '+', ...(movedTo !== undefined && { movedTo }) };
}

function inPlainShell({ command, tell, exit }: WrapOptions): string {
  if (tell === undefined) return exit === undefined ? command : `${SIGNAL_EXITS}; trap 'echo $? >"${exit}"' EXIT\n${command}`;
  const mark = tell.mark ?? '';
  return `trap '{ printf "%s" "${mark}-"; pwd -P; printf "%s" "${mark}"; } >&3 2>/dev/null' EXIT\n${command}`;
}

function inBash({ command, snapshot, tell, exit }: WrapOptions): string {
  const { from, into } = snapshot ?? {};
  const given = (snapshot?.given ?? []).filter((name) => /^[A-Za-z_]\w*$/.test(name) && !LOUD.test(name));
  return [
    // Without this only an interactive shell looks at aliases, and they would be carried over in vain.
    ...(snapshot === undefined ? [] : ['shopt -s expand_aliases']),
    ...(into === undefined ? [] : [`__hermes_birth=(${valuesOf(given)}) __hermes_shopt=$BASHOPTS`]),
    ...(tell === undefined
      ? []
      : [endOf(into, given, tell.mark ?? ''), `trap '{ [[ -n \${__hermes_told-} ]] || __hermes_end; } 2>/dev/null' EXIT`]),
    ...(exit === undefined ? [] : [exitInto(exit)]),
    ...(from === undefined ? [] : [`. ${quoteShellWord(from)} 2>/dev/null </dev/null`]),
    // Options are set last, in the command's own line: earlier they would bite what is ours.
    `{ eval "\${__hermes_set-}"${onOneLine(command)}; }${tell === undefined ? '' : ' 3>&-'}`,
    // Also here: the command may have hung a trap of its own in the place of ours.
    // In one group, so that tracing the command may have turned on says nothing of it.
    ...(tell === undefined
      ? []
      : [`{ __hermes_code=$? __hermes_on=$-; builtin set +x; __hermes_end; } 2>/dev/null`, 'exit "$__hermes_code"']),
    ...(exit === undefined ? [] : ['{ __hermes_exit; } 2>/dev/null']),
  ].join('; ');
}

/** A shell that a signal ends has the code of its last command: without these it would be told as a success. */
const SIGNAL_EXITS = "trap 'exit 129' HUP; trap 'exit 130' INT; trap 'exit 143' TERM";

const exitInto = (path: string): string =>
  `${SIGNAL_EXITS}; __hermes_exit() { __hermes_code=$?; builtin echo "$__hermes_code" >|${quoteShellWord(path)}; return "$__hermes_code"; }; trap '{ __hermes_exit; } 2>/dev/null' EXIT`;

/** `builtin`, because a session may have given these names another meaning. What tracing says goes where errors go. */
const endOf = (into: string | undefined, given: readonly string[], mark: string): string =>
  `__hermes_end() { ${[
    '__hermes_code=${__hermes_code-$?} __hermes_on=${__hermes_on-$-}',
    // A stop in the middle would begin this anew where the variables it hides seem not to be there.
    "builtin trap '' TERM INT HUP",
    '[[ -z ${__hermes_told-} ]] || return 0',
    '__hermes_told=1 __hermes_left=-',
    ...(into === undefined ? [] : leave(into, given)),
    `builtin printf %s ${quoteShellWord(mark)}"$__hermes_left"`,
    'builtin pwd -P',
    `builtin printf %s ${quoteShellWord(mark)}`,
  ].join('; ')}; } >&3`;

/** More than this is no environment any more: the earlier snapshot stays. In units of 1,024 bytes. */
const MAX_SNAPSHOT = 256;

/** A full disk or too much of it makes a write fail; then the sign stays as it was, and with it the earlier snapshot. */
const leave = (into: string, given: readonly string[]): string[] => [
  "[[ -o pipefail ]] && __hermes_pipe=' -o pipefail' || __hermes_pipe=",
  'builtin set +aefuxCvET +o pipefail +o posix',
  "builtin trap '' XFSZ",
  `builtin ulimit -S -f ${MAX_SNAPSHOT}`,
  `{ ${[...variables(given), ...DEFINITIONS, ...OPTIONS].join('; ')}; } >|${quoteShellWord(into)} && __hermes_left=+`,
  'builtin ulimit -S -f hard',
];

/**
 * After the variables: a function may be called `declare`, and must not be there yet when those are set. Aliases after the
 * functions, in whose text they would otherwise be put.
 */
const DEFINITIONS = ['builtin umask -p', 'builtin unset -f __hermes_end', 'builtin declare -f', 'builtin declare -Fx', 'builtin alias -p'];
/** What is as it was at the start hides behind an empty name of the function, so that the list does not show it. */
const variables = (given: readonly string[]): string[] => [
  '[[ $BASHOPTS == "$__hermes_shopt" ]] || builtin shopt -p',
  'builtin shopt -u localvar_inherit',
  `__hermes_names=(${given.join(' ')}) __hermes_now=(${valuesOf(given)}) __hermes_same=()`,
  COMPARE,
  `builtin local "\${__hermes_same[@]}" ${OURS}`,
  `builtin unset -v ${THE_SHELLS}`,
  'builtin declare -p',
];
const OPTIONS = [
  '__hermes_on=${__hermes_on//[^aefuxCEPT]/}',
  '__hermes_on=${__hermes_on:+ -$__hermes_on}$__hermes_pipe',
  // Last of all: on a full disk, or when the bound is reached, this fails, whatever was said before.
  `builtin echo "__hermes_set='\${__hermes_on:+set$__hermes_on; }'"`,
];

/** A sign before each value: what is not there must differ from what is empty. */
const valuesOf = (names: readonly string[]): string => names.map((name) => `"\${${name}+=}\${${name}-}"`).join(' ');
const COMPARE = [
  'for __hermes_n in "${!__hermes_names[@]}"; do if [[ -z ${__hermes_now[__hermes_n]} ]]; then builtin echo "unset -v ${__hermes_names[__hermes_n]}"',
  'elif [[ ${__hermes_now[__hermes_n]} == "${__hermes_birth[__hermes_n]}" ]]; then __hermes_same+=("${__hermes_names[__hermes_n]}"); fi',
  'done',
].join('; ');
/** Never a secret, and hiding them costs: the shell turns to another language each time, or they change by themselves. */
const LOUD = /^(?:LANG|LANGUAGE|LC_.*|TZ|TERM|PWD|OLDPWD|SHLVL|_)$/;
/** Of no use to the next shell, which has its own. Most can be let go; some cannot, and setting those again is refused without harm. */
const THE_SHELLS =
  'BASH_ARGV0 BASH_CMDS BASH_COMMAND BASH_EXECUTION_STRING BASH_LOADABLES_PATH BASH_REMATCH BASH_SUBSHELL BASH_VERSION BASHPID COMP_WORDBREAKS DIRSTACK EPOCHREALTIME EPOCHSECONDS FUNCNAME GROUPS HISTCMD HOSTTYPE LINENO MACHTYPE MAPFILE OPTERR OPTIND OSTYPE RANDOM SECONDS SHLVL SRANDOM';
/** The mark of a command is never that of the next. */
const OURS = `PWD _ ${COMMAND_ID_VARIABLE} BASH_ALIASES __hermes_birth __hermes_shopt __hermes_set __hermes_told __hermes_n __hermes_names __hermes_now __hermes_same`;
