import { findRow, toRows } from '../../../../base/word-tables.ts';

/** A program whose last words are another command. */
interface Wrapper {
  /** Flags that take the next word as their value. */
  readonly values?: string;
  /** Words of its own before the command. */
  readonly operands?: number;
  /** `name=value` may stand before the command. */
  readonly assigns?: boolean;
  /** The command may be one word that a shell reads. */
  readonly line?: boolean;
  /** Only behind one of these verbs does a command stand. */
  readonly verbs?: RegExp;
  /** The command is a package: its version is no part of its name. */
  readonly package?: boolean;
}
const row = (values: string, more: Wrapper = {}): Wrapper => ({ values, ...more });
/** `uv run a b`: the command stands behind a verb. */
const runner = (verbs: string, values = ''): Wrapper => ({ values, verbs: new RegExp(`^(?:${verbs})$`) });

/** Those that only take flags. */
const PLAIN =
  'nohup setsid unbuffer command builtin chronic eatmydata caffeinate catchsegv valgrind gdb capsh linux32 linux64 firejail busybox toybox coreutils entr torsocks rlwrap tini arch ccache';
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  ...toRows(PLAIN, {}),
  sudo: row('-u -g -C -D -h -p -r -t -T -U --user --group --chdir --host --prompt --role --type --close-from', { assigns: true }),
  ...toRows('doas pkexec', row('-u -C -a --user')),
  run0: row('-u --user -g --group -D --chdir --unit --property'),
  env: row('-u --unset -C --chdir', { assigns: true }),
  nice: row('-n --adjustment'),
  ionice: row('-c -n -p --class --classdata'),
  chrt: row('-T -P -D', { operands: 1 }),
  ...toRows('taskset gosu', row('', { operands: 1 })),
  ...toRows('timeout gtimeout', row('-k -s --kill-after --signal', { operands: 1 })),
  stdbuf: row('-i -o -e --input --output --error'),
  exec: row('-a'),
  ...toRows('time gtime', row('-f -o --format --output')),
  fakeroot: row('-s -i -l --lib --faked'),
  ...toRows('strace ltrace', row('-e -o -p -s -u -a -E -I -l -n -O -S -P -b -X -x')),
  chroot: row('--userspec --groups', { operands: 1 }),
  unshare: row('-S -G -w -R --setuid --setgid --wd --root --map-user --map-group --propagation'),
  nsenter: row('-t --target -S -G --setuid --setgid -r -w'),
  setpriv: row('--reuid --regid --groups --inh-caps --bounding-set --ambient-caps --securebits'),
  'systemd-run': row('-p -u -E -t -M -H --unit --property --slice --setenv --uid --gid --working-directory --on-active --on-calendar'),
  xargs: row('-a -d -E -I -J -L -n -P -R -s -S --arg-file --delimiter --max-lines --max-args --max-procs --max-chars --replace'),
  parallel: row('-j -a -S -I -N -n -L -C -d --jobs --arg-file --sshlogin --colsep --delimiter --results --joblog --timeout --delay', {
    line: true,
  }),
  watch: row('-n -q --interval --equexit', { line: true }),
  hyperfine: row('-w -r -m -M -p -c -s -n -L -P --warmup --runs --prepare --cleanup --setup --export-json', { line: true }),
  flock: row('-w -E --timeout --wait --conflict-exit-code', { operands: 1 }),
  ssh: row('-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B', { operands: 1, line: true }),
  screen: row('-S -c -e -h -p -r -s -t -T'),
  'cross-env': row('', { assigns: true }),
  dotenv: row('-e -f -v -c'),
  ...toRows('npx bunx pnpx', row('-p --package -w --workspace --prefix', { package: true })),
  uvx: row('--from --with -p --python -i --index-url --index --with-requirements', { package: true }),
  pipx: row('--spec --python --pip-args -i --index-url', { verbs: /^run$/, package: true }),
  uv: runner('run', '--with -p --python --env-file --project --directory --extra --group --package -m --module'),
  poetry: runner('run', '-C --directory -P --project'),
  pipenv: runner('run'),
  pdm: runner('run', '-p --project'),
  hatch: runner('run', '-e --env'),
  bundle: runner('exec'),
  mise: runner('exec|x', '-c -C --cd'),
  conda: runner('run', '-n --name -p --prefix --cwd'),
  doppler: runner('run', '-p --project -c --config --token'),
  op: runner('run', '--env-file --account'),
  railway: runner('run', '-s --service -e --environment'),
};

/** The program a scoped package brings is mostly called by its last name: `@angular/cli` and their like are the exceptions nobody here judges by name. */
const toProgram = (word: string): string =>
  word
    .replace(/^(?:npm|jsr):/, '')
    .replace(/(?<=.)@[^/]*$/, '')
    .replace(/\[.*$|[=<>~!]=.*$/, '');

export const takesLine = (name: string): boolean => findRow(WRAPPERS, name)?.line === true;
export const isAssignment = (word: string): boolean => /^[A-Za-z_]\w*\+?=/.test(word);

/** The command behind a wrapper's own words; `undefined` when the name wraps nothing. */
export function unwrapCommand(name: string, args: readonly string[]): readonly string[] | undefined {
  const wrapper = findRow(WRAPPERS, name);
  if (wrapper === undefined) return undefined;
  const verb = wrapper.verbs === undefined ? -1 : args.findIndex((word) => !word.startsWith('-'));
  if (wrapper.verbs?.test(args[verb] ?? '') === false) return undefined;
  const [first, ...rest] = commandOf(wrapper, args.slice(verb + 1));
  return first === undefined ? [] : [wrapper.package === true ? toProgram(first) : first, ...rest];
}

function commandOf(wrapper: Wrapper, args: readonly string[]): readonly string[] {
  const values = new Set((wrapper.values ?? '').split(' '));
  let [at, operands] = [0, wrapper.operands ?? 0];
  for (; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') {
      if (operands === 0) return args.slice(at + 1);
    } else if (/^-./.test(word)) at += takesNext(word, values) ? 1 : 0;
    else if (!(wrapper.assigns === true && isAssignment(word)) && operands-- <= 0) break;
  }
  return args.slice(at);
}

/** `-u root` and `-nu root`, but not `-uroot`. */
function takesNext(word: string, values: ReadonlySet<string>): boolean {
  if (word.startsWith('--')) return values.has(word);
  const letters = word.slice(1).split('');
  const first = letters.findIndex((letter) => values.has(`-${letter}`));
  return first >= 0 && first === letters.length - 1;
}
