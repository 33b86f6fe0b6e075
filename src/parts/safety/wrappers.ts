/** What stands before a command and only says how it is run. */
interface Wrapper {
  /** Options that take the next word as their value. */
  readonly valued?: string;
  /** Words of its own before the command: the seconds of `timeout`, the root of `chroot`. */
  readonly operands?: number;
  /** Options with which it only tells something and runs nothing. */
  readonly tells?: string;
}

/** Adding one is a row. */
const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map(
  Object.entries({
    env: { valued: '-u --unset -C --chdir' },
    timeout: { valued: '-s --signal -k --kill-after', operands: 1 },
    nice: { valued: '-n --adjustment' },
    ionice: { valued: '-c --class -n --classdata -p --pid' },
    chrt: { valued: '-T -P -D', operands: 1 },
    taskset: { operands: 1 },
    stdbuf: { valued: '-i --input -o --output -e --error' },
    xargs: {
      valued:
        '-n --max-args -P --max-procs -I --replace -L --max-lines -d --delimiter -a --arg-file -s --max-chars -E --eof --process-slot-var',
    },
    sudo: {
      valued:
        '-u --user -g --group -h --host -p --prompt -C --close-from -D --chdir -R --chroot -r --role -t --type -T --command-timeout -U --other-user',
    },
    doas: { valued: '-u -C' },
    pkexec: { valued: '--user' },
    runuser: { valued: '-u --user -g --group -G --supp-group' },
    chroot: { valued: '--userspec --groups', operands: 1 },
    flock: { valued: '-w --wait --timeout -E --conflict-exit-code', operands: 1 },
    watch: { valued: '-n --interval' },
    time: { valued: '-o --output -f --format' },
    strace: { valued: '-o -e -p -s -u' },
    exec: { valued: '-a' },
    command: { tells: '-v -V' },
    nohup: {},
    setsid: {},
    builtin: {},
    busybox: {},
    toybox: {},
    unbuffer: {},
  }),
);

/** Words of the shell's own grammar that a command may follow. */
const KEYWORDS: ReadonlySet<string> = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', 'coproc', '!']);

/** The words of the command a wrapper runs; `undefined` when the first word is no wrapper. */
export function wrapped(name: string, args: readonly string[]): readonly string[] | undefined {
  if (KEYWORDS.has(name)) return args;
  const wrapper = WRAPPERS.get(name);
  if (wrapper === undefined) return undefined;
  const valued = wordsOf(wrapper.valued);
  const tells = wordsOf(wrapper.tells);
  let index = 0;
  for (let word = args[0]; word !== undefined && isOption(word); word = args[index]) {
    if (tells.includes(word)) return [];
    index += takesNext(word, valued) ? 2 : 1;
    if (word === '--') break;
  }
  while (isAssignment(args[index])) index++;
  return args.slice(index + (wrapper.operands ?? 0));
}

const wordsOf = (list: string | undefined): readonly string[] => list?.split(' ') ?? [];
const isOption = (word: string): boolean => word.startsWith('-') && word !== '-';
export const isAssignment = (word: string | undefined): boolean => word !== undefined && /^\w+\+?=/.test(word);

/** `-u X`, `-iu X` and `--user X` take the next word; `-uX` and `--user=X` have their value with them. */
function takesNext(word: string, valued: readonly string[]): boolean {
  if (word.startsWith('--')) return valued.includes(word);
  const letters = word.slice(1).split('');
  const at = letters.findIndex((letter) => valued.includes(`-${letter}`));
  return at >= 0 && at === letters.length - 1;
}
