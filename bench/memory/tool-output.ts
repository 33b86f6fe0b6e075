/** Outputs of commands as they fill the logs of an agent: long, full of numbers, and about nothing. */
type Random = () => number;

const int = (random: Random, least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
const one = (random: Random, items: string): string => {
  const all = items.split(' ');
  return all[int(random, 0, all.length - 1)] ?? '';
};
const lines = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('\n');
const hex = (random: Random, length: number): string => lines(length, () => int(random, 0, 15).toString(16)).replaceAll('\n', '');
const FILES = 'index parse render layout queue worker cache schema client router report export table chart loader resize';
const TOPICS = 'header footer cache retry layout export import search filter spinner banner tooltip';
const VERBS = 'Fix Tidy Rename Split Cover Document Simplify Speed-up Guard';

export const TOOL_OUTPUTS: Readonly<Record<string, (random: Random) => string>> = {
  'git-log': (random) =>
    lines(int(random, 6, 11), () => `${hex(random, 7)} ${one(random, VERBS)} the ${one(random, TOPICS)} in ${one(random, FILES)}`),
  ls: (random) =>
    lines(
      int(random, 6, 12),
      () =>
        `-rw-r--r-- 1 user user ${String(int(random, 200, 90_000)).padStart(6)} ${one(random, FILES)}${one(random, '.ts .js .css .json .md .py')}`,
    ),
  tests: (random) =>
    `${lines(int(random, 7, 12), () => `✔ ${one(random, FILES)} › ${one(random, 'keeps drops sorts merges ignores rejects')} ${one(random, 'empty nested duplicate trailing unknown')} ${one(random, 'rows keys items cells')} (${int(random, 1, 39)}ms)`)}\nall passed`,
  df: (random) =>
    `Filesystem Size Used Avail\n${lines(int(random, 4, 6), (index) => `/dev/sd${'abcdef'[index]}1 ${int(random, 90, 900)}G ${int(random, 10, 80)}G ${int(random, 5, 70)}G`)}`,
  top: (random) =>
    `PID CPU MEM COMMAND\n${lines(int(random, 6, 10), () => `${int(random, 1000, 7999)} ${(random() * 30).toFixed(1)} ${(random() * 9).toFixed(1)} ${one(random, 'node python3 chrome sshd containerd systemd rsync Xorg')}`)}`,
  ping: (random) =>
    lines(int(random, 6, 10), (index) => `bytes from gateway: icmp_seq=${index + 1} ttl=64 time=${(random() * 20).toFixed(2)} ms`),
  'build-log': (random) =>
    lines(
      int(random, 7, 12),
      () =>
        `[build] ${one(random, 'bundled minified copied hashed skipped')} ${one(random, FILES)}.${hex(random, 6)}.js ${(random() * 90).toFixed(1)} kB`,
    ),
  csv: (random) =>
    `day,visits,signups\n${lines(int(random, 8, 14), (index) => `${index + 1},${int(random, 210, 990)},${int(random, 2, 39)}`)}`,
};
