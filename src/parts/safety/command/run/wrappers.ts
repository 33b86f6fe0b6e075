import { resolvePackageProgram, RUNNERS, type Wrapper } from './runners.ts';

const PLAIN: Wrapper = {};
const row = (values: string, more: Wrapper = {}): Wrapper => ({ values, ...more });

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  ...RUNNERS,
  sudo: row('-u -g -C -D -h -p -r -t -T -U --user --group --chdir --host --prompt --role --type --close-from', { assigns: true }),
  doas: row('-u -C -a'),
  pkexec: row('--user'),
  run0: row('-u --user -g --group -D --chdir --unit --property'),
  env: row('-u --unset -C --chdir', { assigns: true }),
  nohup: PLAIN,
  setsid: PLAIN,
  nice: row('-n --adjustment'),
  ionice: row('-c -n -p --class --classdata'),
  chrt: row('-T -P -D', { operands: 1 }),
  taskset: row('', { operands: 1 }),
  numactl: row('-m -N -C -p --membind --cpunodebind --physcpubind --preferred'),
  timeout: row('-k -s --kill-after --signal', { operands: 1 }),
  gtimeout: row('-k -s --kill-after --signal', { operands: 1 }),
  stdbuf: row('-i -o -e --input --output --error'),
  unbuffer: PLAIN,
  command: PLAIN,
  builtin: PLAIN,
  exec: row('-a'),
  time: row('-f -o --format --output'),
  gtime: row('-f -o --format --output'),
  chronic: PLAIN,
  eatmydata: PLAIN,
  fakeroot: row('-s -i -l --lib --faked'),
  proot: row('-r -b -w -R -S --rootfs --bind --cwd'),
  torsocks: PLAIN,
  proxychains: row('-f'),
  proxychains4: row('-f'),
  caffeinate: row('-t -w'),
  catchsegv: PLAIN,
  strace: row('-e -o -p -s -u -a -E -I -O -S -P -b -X'),
  ltrace: row('-e -o -p -s -u -a -l -n -S -x'),
  valgrind: PLAIN,
  perf: row('-e -o -F -g', { operands: 1 }),
  gdb: PLAIN,
  chroot: row('--userspec --groups', { operands: 1 }),
  unshare: row('-S -G -w -R --setuid --setgid --wd --root --map-user --map-group --propagation'),
  nsenter: row('-t --target -S -G --setuid --setgid -r -w'),
  setpriv: row('--reuid --regid --groups --inh-caps --bounding-set --ambient-caps --securebits --selinux-label --apparmor-profile'),
  capsh: PLAIN,
  setarch: row('', { operands: 0 }),
  linux32: PLAIN,
  linux64: PLAIN,
  prlimit: row('-p --pid'),
  cgexec: row('-g'),
  firejail: PLAIN,
  bwrap: row('--chdir --setenv --unsetenv --bind --ro-bind --dev --proc --tmpfs --dir --symlink --uid --gid --hostname'),
  'systemd-run': row(
    '-p -u -E -t -M -H --unit --property --slice --setenv --uid --gid --working-directory --on-active --on-calendar --description',
    {},
  ),
  'systemd-inhibit': row('--what --who --why --mode'),
  'dbus-run-session': PLAIN,
  'xvfb-run': row('-n -s -e -f --server-num --server-args'),
  xargs: row('-a -d -E -I -J -L -n -P -R -s -S --arg-file --delimiter --max-lines --max-args --max-procs --max-chars --replace'),
  parallel: row(
    '-j -a -S -I -N -n -L -C -d --jobs --arg-file --sshlogin --colsep --delimiter --results --joblog --workdir --timeout --delay --load --tmpdir',
    { line: true },
  ),
  watch: row('-n -q --interval --equexit', { line: true }),
  entr: PLAIN,
  flock: row('-w -E --timeout --wait --conflict-exit-code', { operands: 1, line: true }),
  ssh: row('-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B', { operands: 1, line: true }),
  mosh: row('--ssh --port -p', { operands: 1 }),
  sshpass: row('-p -f -d -P'),
  busybox: PLAIN,
  toybox: PLAIN,
  coreutils: PLAIN,
  rlwrap: PLAIN,
  'dumb-init': PLAIN,
  tini: PLAIN,
  catatonit: PLAIN,
  gosu: row('', { operands: 1 }),
  'su-exec': row('', { operands: 1 }),
  chpst: row('-u -U -b -d -f -l -L -m -o -p -c -r -t -n'),
  softlimit: row('-a -c -d -f -l -m -o -p -r -s -t'),
  setuidgid: row('', { operands: 1 }),
  envdir: row('', { operands: 1 }),
  trickle: row('-u -d'),
  cpulimit: row('-l -p -e'),
  multitime: row('-n'),
  hyperfine: row('-w -r -m -M -p -c -s -n -L -P --warmup --runs --prepare --cleanup --setup --export-json', { line: true }),
  tmux: PLAIN,
  screen: row('-S -c -e -h -p -r -s -t -T'),
  dotenv: row('-e -f -v -c'),
  'cross-env': row('', { assigns: true }),
  'with-env': PLAIN,
  direnv: row('', { operands: 2 }),
  'env-cmd': row('-f --file -e --environments'),
  watchexec: row('-w -e -i -d -s -f --watch --exts --ignore --debounce --signal --filter', { line: true }),
  nodemon: row('--watch -w --ext -e --ignore -i --delay -d'),
  faketime: row('-f', { operands: 1, line: true }),
  torify: PLAIN,
  tsocks: PLAIN,
  'run-one': PLAIN,
  daemonize: row('-a -c -e -o -p -l -u -E'),
  dtach: row('-A -c -n -N'),
  sem: row('-j --id', { line: true }),
  'systemd-cat': row('-t -p --identifier --priority'),
  'systemd-nspawn': row('-D -M -u --directory --machine --user --bind --bind-ro -i --image'),
  'ssh-agent': row('-a -t'),
  heaptrack: PLAIN,
  arch: PLAIN,
  ccache: PLAIN,
  lima: PLAIN,
  xcrun: row('--sdk -sdk --toolchain -toolchain'),
  wsl: row('-d --distribution -u --user --cd -e --exec'),
};

export const isWrapper = (name: string): boolean => Object.hasOwn(WRAPPERS, name);
export const takesLine = (name: string): boolean => Object.hasOwn(WRAPPERS, name) && WRAPPERS[name]?.line === true;
export const isAssignment = (word: string): boolean => /^[A-Za-z_]\w*\+?=/.test(word);

/** The command behind a wrapper's own words; `undefined` when the name wraps nothing. */
export function unwrapCommand(name: string, args: readonly string[]): readonly string[] | undefined {
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (wrapper === undefined) return undefined;
  const verb = wrapper.verbs === undefined ? -1 : args.findIndex((word) => !word.startsWith('-'));
  if (wrapper.verbs?.test(args[verb] ?? '') === false) return undefined;
  const command = commandOf(wrapper, args.slice(verb + 1));
  const [first, ...rest] = command;
  return wrapper.package === true && first !== undefined ? [resolvePackageProgram(first), ...rest] : command;
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
