import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '../../../src/base/sha256.ts';
import { createSeccompFilter, toNamespaceFlags } from '../../../src/parts/terminals/launcher/seccomp.ts';
import { type SeccompMachine } from '../../../src/parts/terminals/launcher/bpf.ts';

/** What the kernel would answer: the machine of a filter is small enough to be told in a few lines. */
function ask(
  machine: SeccompMachine,
  call: number,
  args: readonly number[] = [],
  architecture: number = ARCHITECTURES[machine],
  filter = createSeccompFilter(machine),
): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call, 0);
  data.writeUInt32LE(architecture, 4);
  args.forEach((value, index) => data.writeBigUInt64LE(BigInt(value), 16 + 8 * index));
  let accumulator = 0;
  for (let at = 0; at < filter.length / 8; at++) {
    const [code, yes, no, value] = [
      filter.readUInt16LE(at * 8),
      filter.readUInt8(at * 8 + 2),
      filter.readUInt8(at * 8 + 3),
      filter.readUInt32LE(at * 8 + 4),
    ];
    if (code === 0x06) return value;
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x54) accumulator = (accumulator & value) >>> 0;
    else if (code === 0x74) accumulator >>>= value;
    else if (code === 0x15) at += accumulator === value ? yes : no;
    else if (code === 0x35) at += accumulator >= value ? yes : no;
    else if (code === 0x45) at += (accumulator & value) === 0 ? no : yes;
    else assert.fail(`an instruction nobody knows: ${code}`);
  }
  return assert.fail('the filter has no end');
}
const ARCHITECTURES = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
const ALLOWED = 0x7fff_0000;
const SUPERVISED = 0x7fc0_0000;
const refused = (errno: number): number => 0x0005_0000 | errno;

const TABLE: readonly (readonly [what: string, machine: SeccompMachine, call: number, args: readonly number[], answer: number])[] = [
  ['read', 'x64', 0, [3], ALLOWED],
  ['execve', 'x64', 59, [], ALLOWED],
  ['read', 'arm64', 63, [3], ALLOWED],
  ['io_uring_setup', 'x64', 425, [], refused(38)],
  ['io_uring_setup', 'arm64', 425, [], refused(38)],
  ['keyctl', 'x64', 250, [], refused(38)],
  ['keyctl', 'arm64', 219, [], refused(38)],
  ['bpf', 'x64', 321, [], refused(1)],
  ['perf_event_open', 'arm64', 241, [], refused(1)],
  ['userfaultfd', 'x64', 323, [], refused(1)],
  ['socket for the internet', 'x64', 41, [2, 1], ALLOWED],
  ['socket on this machine', 'arm64', 198, [1, 1], ALLOWED],
  ['socket for the machine below', 'x64', 41, [40, 1], refused(97)],
  ['socket for the machine below', 'arm64', 198, [40, 1], refused(97)],
  ['the size of a terminal', 'x64', 16, [0, 0x5413], ALLOWED],
  ['typing into a terminal', 'x64', 16, [0, 0x5412], refused(1)],
  ['typing into a terminal, with more bits than count', 'x64', 16, [0, 0x1_0000_5412], refused(1)],
  ['chmod 755', 'x64', 90, [0, 0o755], ALLOWED],
  ['chmod g+s', 'x64', 90, [0, 0o2775], ALLOWED],
  ['chmod u+s', 'x64', 90, [0, 0o4755], refused(1)],
  ['fchmod u+s', 'x64', 91, [3, 0o104755], refused(1)],
  ['fchmod u+s', 'arm64', 52, [3, 0o4000], refused(1)],
  ['fchmodat u+s', 'x64', 268, [0, 0, 0o6755], refused(1)],
  ['fchmodat u+s', 'arm64', 53, [0, 0, 0o4755], refused(1)],
  ['fchmodat2 u+s', 'x64', 452, [0, 0, 0o4755, 0x1000], refused(1)],
  ['creat of a set-user-id file', 'x64', 85, [0, 0o4755], refused(1)],
  ['mknod of a set-user-id file', 'x64', 133, [0, 0o104755], refused(1)],
  ['mknodat of a set-user-id file', 'arm64', 33, [0, 0, 0o104755], refused(1)],
  ['open to make a file', 'x64', 2, [0, 0o101, 0o644], ALLOWED],
  ['open to make a set-user-id file', 'x64', 2, [0, 0o101, 0o4755], refused(1)],
  ['open to read, with anything for a mode', 'x64', 2, [0, 0, 0o4755], ALLOWED],
  ['openat to make a set-user-id file', 'arm64', 56, [0, 0, 0o101, 0o4755], refused(1)],
  ['openat of a set-user-id file without a name', 'x64', 257, [0, 0, 0x41_0002, 0o4755], refused(1)],
  ['openat to read, with anything for a mode', 'x64', 257, [0, 0, 0, 0o4755], ALLOWED],
  ['openat2', 'x64', 437, [], refused(38)],
  ['typing into a console', 'arm64', 29, [0, 0x541c], refused(1)],
];
for (const [what, machine, call, args, answer] of TABLE)
  test(`${what} on ${machine}`, () => assert.equal(ask(machine, call, args).toString(16), answer.toString(16)));

/** What the walls of plugins refuse besides. */
const HOARDS: readonly (readonly [what: string, x64: number, arm64: number, errno: number])[] = [
  ['memfd_create', 319, 279, 38],
  ['memfd_secret', 447, 447, 38],
  ['shmget', 29, 194, 38],
  ['msgget', 68, 186, 38],
  ['fallocate', 285, 47, 95],
];
for (const [what, x64, arm64, errno] of HOARDS)
  test(`${what} is refused where everything that is held must be counted`, () => {
    for (const [machine, call] of [
      ['x64', x64],
      ['arm64', arm64],
    ] as const) {
      assert.equal(ask(machine, call), ALLOWED);
      assert.equal(ask(machine, call, [], ARCHITECTURES[machine], createSeccompFilter(machine, { hoards: false })), refused(errno));
    }
  });

/** How processes run: behind the floor those of the owner have numbers there as well. */
const RUNNING: readonly (readonly [what: string, x64: number, arm64: number, args: readonly number[], answer: number])[] = [
  ['nice', 141, 140, [0, 0, 5], ALLOWED],
  ['renice of another process', 141, 140, [0, 4_711, 5], SUPERVISED],
  ['renice of all of a user', 141, 140, [2, 0, 5], refused(1)],
  ['ionice', 251, 30, [1, 0, 5], ALLOWED],
  ['ionice of another process', 251, 30, [1, 4_711, 5], SUPERVISED],
  ['ionice of all of a user', 251, 30, [3, 0, 5], refused(1)],
  ['its own processors', 203, 122, [0, 8], ALLOWED],
  ['processors of another process', 203, 122, [4_711, 8], SUPERVISED],
  ['scheduling of another process', 144, 119, [4_711, 3], SUPERVISED],
  ['scheduling of another process, with all there is to it', 314, 274, [4_711], SUPERVISED],
];
for (const [what, x64, arm64, args, answer] of RUNNING)
  test(`${what}, behind the floor`, () => {
    for (const [machine, call] of [
      ['x64', x64],
      ['arm64', arm64],
    ] as const) {
      const filter = createSeccompFilter(machine, { floor: { level: 6, network: false } });
      assert.equal(ask(machine, call, args, ARCHITECTURES[machine], filter), answer);
      assert.equal(ask(machine, call, args), ALLOWED);
    }
  });

test('calls of another machine, and of the x32 kind, are not there', () => {
  assert.equal(ask('x64', 0, [], 0x4000_0003), refused(38));
  assert.equal(ask('x64', 0x4000_0000 + 425), refused(38));
});

test('the bytes are those that were looked at', () => {
  const digest = (machine: SeccompMachine) => sha256(createSeccompFilter(machine).toString('hex')).slice(0, 16);
  assert.deepEqual({ x64: digest('x64'), arm64: digest('arm64') }, { x64: '6baaf9166f146319', arm64: 'fc5000073c4a7986' });
});

test('a network is entered only where the sandbox has one of its own', () => {
  assert.equal(toNamespaceFlags(false) - toNamespaceFlags(true), 0x4000_0000);
});

test('without namespaces neither a user namespace nor a way around it is left, and threads and processes are', () => {
  const NEW_USER = 0x1000_0000;
  const rows: readonly (readonly [what: string, machine: SeccompMachine, call: number, args: readonly number[], answer: number])[] = [
    ['unshare of users', 'x64', 272, [NEW_USER], refused(1)],
    ['unshare of users and mounts', 'arm64', 97, [NEW_USER | 0x2_0000], refused(1)],
    ['unshare of files', 'x64', 272, [0x400], ALLOWED],
    ['clone with users', 'x64', 56, [NEW_USER | 17], refused(1)],
    ['clone with users', 'arm64', 220, [NEW_USER | 17], refused(1)],
    ['fork', 'x64', 57, [], ALLOWED],
    ['a process by clone', 'arm64', 220, [17], ALLOWED],
    ['a thread', 'x64', 56, [0x3d_0f00], ALLOWED],
    ['clone3', 'x64', 435, [], refused(38)],
    ['clone3', 'arm64', 435, [], refused(38)],
    ['chmod u+s, as before', 'x64', 90, [0, 0o4755], refused(1)],
    ['bpf, as before', 'arm64', 280, [], refused(1)],
  ];
  for (const [what, machine, call, args, answer] of rows)
    assert.equal(ask(machine, call, args, undefined, createSeccompFilter(machine, { namespaces: false })), answer, `${what} on ${machine}`);
  const both = createSeccompFilter('x64', { namespaces: false, forks: false });
  assert.deepEqual(
    [ask('x64', 56, [17], undefined, both), ask('x64', 56, [0x3d_0f00], undefined, both), ask('x64', 272, [NEW_USER], undefined, both)],
    [refused(1), ALLOWED, refused(1)],
  );
});

/** What the floor refuses where Landlock does not judge it, and from which level on that is left to Landlock. */
const FLOOR: readonly (readonly [what: string, x64: number, arm64: number, args: readonly number[], errno: number, until?: number])[] = [
  ['opening for neither reading nor writing', 257, 56, [0, 0, 3], 13],
  ['emptying a file by that', 257, 56, [0, 0, 0o1003], 13],
  ['emptying a file while it is opened for reading', 257, 56, [0, 0, 0o1000], 13, 3],
  ['naming who is told of a file', 72, 25, [3, 8], 1, 6],
  ['naming it by kind', 72, 25, [3, 15], 1, 6],
  ['naming it by a request', 16, 29, [3, 0x8901], 1, 6],
  ['naming it by the other request', 16, 29, [3, 0x8902], 1, 6],
  ['opening for both', 257, 56, [0, 0, 0o1002], 0, 0],
  ['reading the flags of a file', 72, 25, [3, 3], 0, 0],
  ['typing into a terminal', 16, 29, [0, 0x5412], 1],
];
for (const [what, x64, arm64, args, errno, until = 7] of FLOOR)
  test(`${what}, behind the floor`, () => {
    for (const level of [1, 2, 3, 5, 6])
      for (const [machine, call] of [
        ['x64', x64],
        ['arm64', arm64],
      ] as const) {
        const filter = createSeccompFilter(machine, { floor: { level, network: false } });
        assert.equal(
          ask(machine, call, args, ARCHITECTURES[machine], filter),
          level < until ? refused(errno) : ALLOWED,
          `${machine} ${level}`,
        );
      }
  });
