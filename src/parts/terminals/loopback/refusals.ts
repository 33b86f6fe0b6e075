import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The number of `setns`, by the kind of machine. */
const SETNS: Readonly<Record<string, number>> = { x64: 308, arm64: 268 };
const PERL = '/usr/bin/perl';
const START_MS = 5_000;
const ANSWER_MS = 1_000;

/**
 * Stands in the network of a sandbox and reads the resets by which its kernel refuses a connection: whatever the program says of
 * it, or keeps silent about, the port is known. A filter in the kernel lets nothing else through, so traffic costs nothing.
 * It joins the user namespace that owns the network without an exec, which would cost it the right to look.
 */
const SOURCE = `
my ($setns, $holder) = @ARGV;
open(my $net, '<', "/proc/$holder/ns/net") or exit 1;
my $user = ioctl($net, 0xb701, 0);
syscall($setns + 0, $user + 0, 0x10000000) if $user;
syscall($setns + 0, fileno($net), 0x40000000) == 0 or exit 1;
socket(my $seen, 17, 2, 768) or exit 1;
my $filter = join '', map { pack 'S C C L', @$_ }
  [0x30,0,0,0], [0x74,0,0,4], [0x15,0,5,4],
  [0x30,0,0,9], [0x15,0,10,6], [0xb1,0,0,0], [0x50,0,0,13], [0x05,0,0,4],
  [0x15,0,6,6], [0x30,0,0,6], [0x15,0,4,6], [0x30,0,0,53],
  [0x54,0,0,0x14], [0x15,0,1,0x14], [0x06,0,0,128], [0x06,0,0,0];
setsockopt($seen, 1, 26, pack('S x6 P', length($filter) / 8, $filter)) or exit 1;
syswrite(STDOUT, "ready\\n");
while (1) {
  my $wanted = '';
  vec($wanted, 0, 1) = 1;
  vec($wanted, fileno($seen), 1) = 1;
  select($wanted, undef, undef, undef) >= 0 or next;
  my $told = '';
  my $asked = vec($wanted, 0, 1) ? sysread(STDIN, my $question, 64) : undef;
  while (defined recv($seen, my $packet, 128, 0x40)) {
    my $head = ord($packet) >> 4 == 4 ? 4 * (ord($packet) & 15) : 40;
    next if length($packet) < $head + 8;
    my ($port, undef, $sequence) = unpack('n n N', substr($packet, $head, 8));
    $told .= "$port\\n" if $sequence == 0;
  }
  $told .= "answer\\n" x $asked if $asked;
  syswrite(STDOUT, $told) if $told ne '';
  exit 0 if defined $asked && $asked == 0;
}
`;

/** Connections refused inside a sandbox. */
export interface RefusalWatch {
  /** All that was refused until now has been told. */
  settle(): Promise<void>;
  close(): void;
}

/** `undefined` where this way is not open: then only the words of programs tell of it. */
export async function watchRefusals(holder: number, tell: (port: number) => void): Promise<RefusalWatch | undefined> {
  const setns = SETNS[process.arch];
  if (setns === undefined || !existsSync(PERL)) return undefined;
  const child = spawn(PERL, ['-e', SOURCE, String(setns), String(holder)], { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] });
  const ready = Promise.withResolvers<boolean>();
  const asked: (() => void)[] = [];
  let [isOver, rest] = [false, ''];
  const end = (): void => {
    isOver = true;
    ready.resolve(false);
    for (const answer of asked.splice(0)) answer();
  };
  const hear = (line: string): void => {
    if (line === 'ready') ready.resolve(true);
    else if (line === 'answer') asked.shift()?.();
    else tell(Number(line));
  };
  child.once('error', end);
  child.once('exit', end);
  child.stdin.on('error', () => {});
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) hear(line);
  });
  const timer = setTimeout(end, START_MS);
  const isReady = await ready.promise;
  clearTimeout(timer);
  // Nothing here keeps this program from ending; without us the other one ends too.
  for (const handle of [child, child.stdin, child.stdout]) if ('unref' in handle && typeof handle.unref === 'function') handle.unref();
  const close = (): void => void child.kill();
  if (!isReady) {
    close();
    return undefined;
  }
  return {
    settle: () => (isOver ? Promise.resolve() : askOnce(asked, () => child.stdin.write('?'))),
    close,
  };
}

/** A machine that is too busy to answer costs a question to the owner, not the command. */
function askOnce(asked: (() => void)[], ask: () => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ANSWER_MS);
  asked.push(() => {
    clearTimeout(timer);
    resolve();
  });
  ask();
  return promise;
}
