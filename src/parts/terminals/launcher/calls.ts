import {
  ALLOW,
  answer,
  AT,
  ifAnyBit,
  ifEqual,
  load,
  mask,
  SUPERVISE,
  type CallNumbers,
  type Instruction,
  type SeccompMachine,
} from './bpf.ts';
import { refuseCalls } from './refused.ts';

/** How the launcher carries a supervised call out; counted from 1 as in `launcher.c`. */
const ACTS = ['connect', 'bind', 'listen', 'signal', 'mode', 'owner', 'times', 'timevals', 'time', 'truncate', 'target'] as const;

interface SupervisedCall {
  readonly act: (typeof ACTS)[number];
  readonly numbers: CallNumbers;
  /** In which arguments the folder, the path, the value and the flags are. */
  readonly folder?: number;
  readonly path?: number;
  readonly value?: number;
  readonly flags?: number;
  /** A link itself is meant. */
  readonly nofollow?: true;
  /** What the first argument has to be: a process, and not a group or a user. */
  readonly only?: number;
  /** Landlock judges it from this level on. */
  readonly until?: number;
}

/** Calls whose arguments Landlock does not judge, or not by what matters: an address, a process, the owner of a file. */
const SUPERVISED: readonly SupervisedCall[] = [
  { act: 'connect', numbers: [42, 203] },
  { act: 'bind', numbers: [49, 200] },
  { act: 'listen', numbers: [50, 201] },
  { act: 'signal', numbers: [62, 129] },
  { act: 'mode', numbers: [90, undefined], path: 0, value: 1 }, // chmod
  { act: 'mode', numbers: [91, 52], folder: 0, value: 1 }, // fchmod
  { act: 'mode', numbers: [268, 53], folder: 0, path: 1, value: 2 }, // fchmodat
  { act: 'mode', numbers: [452, 452], folder: 0, path: 1, value: 2, flags: 3 }, // fchmodat2
  { act: 'owner', numbers: [92, undefined], path: 0, value: 1 }, // chown
  { act: 'owner', numbers: [93, 55], folder: 0, value: 1 }, // fchown
  { act: 'owner', numbers: [94, undefined], path: 0, value: 1, nofollow: true }, // lchown
  { act: 'owner', numbers: [260, 54], folder: 0, path: 1, value: 2, flags: 4 }, // fchownat
  { act: 'time', numbers: [132, undefined], path: 0, value: 1 }, // utime
  { act: 'timevals', numbers: [235, undefined], path: 0, value: 1 }, // utimes
  { act: 'timevals', numbers: [261, undefined], folder: 0, path: 1, value: 2 }, // futimesat
  { act: 'times', numbers: [280, 88], folder: 0, path: 1, value: 2, flags: 3 }, // utimensat
  { act: 'truncate', numbers: [76, 45], path: 0, value: 1, until: 3 },
  // Another process, by its number in `value`; 0 is the process itself.
  { act: 'target', numbers: [302, 261], value: 0 }, // prlimit64
  { act: 'target', numbers: [203, 122], value: 0 }, // sched_setaffinity
  { act: 'target', numbers: [144, 119], value: 0 }, // sched_setscheduler
  { act: 'target', numbers: [142, 118], value: 0 }, // sched_setparam
  { act: 'target', numbers: [314, 274], value: 0 }, // sched_setattr
  { act: 'target', numbers: [141, 140], value: 1, only: 0 }, // setpriority
  { act: 'target', numbers: [251, 30], value: 1, only: 1 }, // ioprio_set
  { act: 'target', numbers: [200, 130], value: 0, until: 6 }, // tkill
  { act: 'target', numbers: [234, 131], value: 0, until: 6 }, // tgkill
];

const [EPERM, EACCES, EOPNOTSUPP, EAFNOSUPPORT, EPROTONOSUPPORT] = [1, 13, 95, 97, 93];

/** Requests of `ioctl`, by their letter: what a file system does to a file that is only open for reading, but for these. */
const FILE_SYSTEMS: readonly (readonly [letter: number, allowed: readonly number[]])[] = [
  [0x94, [0x4004_9409, 0x4020_940d, 0xc018_9436]], // btrfs and sharing blocks: FICLONE, FICLONERANGE, FIDEDUPERANGE
  [0x66, [0x8008_6601, 0x8004_6601, 0xc020_660b]], // `f`: flags and extents are read
  [0x58, [0x801c_581f]], // `X`: attributes are read
  [0x76, [0x8008_7601, 0x8004_7601]], // `v`: the version is read
  [0x72, [0x8004_7210]], // `r`: attributes of FAT are read
];
/** Options by which packets of a socket take another way than its address says: a level, and names of it. */
const ROUTES = [[0, 4, 50] as const, [1, 25, 62] as const, [41, 5, 6, 57, 76] as const];
/** Requests of `fcntl` and `ioctl` that name a process for signals. */
const SIGNAL_OWNERS = { fcntl: [8, 15], ioctl: [0x8901, 0x8902] } as const;
const PR_SET_DUMPABLE = 4;

const CONNECTED = [1, 5]; // SOCK_STREAM, SOCK_SEQPACKET: the others go to an address with each message
const PROTOCOLS = [0, 6]; // any, TCP
const NETLINK_KINDS = [0, 4]; // routes and sockets, which programs only look at
const MSG_FASTOPEN = 0x2000_0000;
const SENDS: readonly (readonly [numbers: CallNumbers, flags: number])[] = [
  [[44, 206], 3], // sendto
  [[46, 211], 2], // sendmsg
  [[307, 269], 3], // sendmmsg
];
const [O_TRUNC, ACCESS_MODE] = [0o1000, 3];

const loadArgument = (index: number): Instruction => load(AT.argument(index));
const oneOf = (values: readonly number[], no: number): Instruction[] => [
  ...values.map((value, index) => ifEqual(value, values.length - index, 0)),
  answer(no),
];
const noneOf = (values: readonly number[], no: number): Instruction[] => values.flatMap((value) => [ifEqual(value, 0, 1), answer(no)]);
const call = (number: number | undefined, body: readonly Instruction[]): Instruction[] =>
  number === undefined ? [] : [ifEqual(number, 0, body.length), ...body];

export interface FloorCalls {
  /** The level of Landlock in force. */
  readonly level: number;
  /** Connections to anybody are let through. */
  readonly network: boolean;
}
/** What the filter of the floor has before that of every sandbox. The number of the call is loaded. */
export function createFloorRules(machine: SeccompMachine, { level, network }: FloorCalls): readonly Instruction[] {
  const mine = ([x64, arm64]: CallNumbers): number | undefined => (machine === 'x64' ? x64 : arm64);
  const family = (value: number, body: readonly Instruction[]): Instruction[] => [loadArgument(0), ifEqual(value, 0, body.length), ...body];
  const kind = [loadArgument(1), mask(0xf), ...oneOf(CONNECTED, EPROTONOSUPPORT)];
  const streams = network
    ? [ALLOW]
    : [
        loadArgument(1),
        mask(0xf),
        ...oneOf(CONNECTED.slice(0, 1), EPROTONOSUPPORT),
        loadArgument(2),
        ...oneOf(PROTOCOLS, EPROTONOSUPPORT),
        ALLOW,
      ];
  return [
    ...listSupervised(machine, level).flatMap(({ number, act, value = 0, only }) =>
      call(number, [
        ...(only === undefined ? [] : [loadArgument(0), ifEqual(only, 1, 0), answer(EPERM)]),
        ...(act === 'target' ? [loadArgument(value), ifEqual(0, 0, 1), ALLOW] : []),
        SUPERVISE,
      ]),
    ),
    ...refuseCalls(machine, ['floor']),
    ...SENDS.flatMap(([numbers, flags]) =>
      call(mine(numbers), [loadArgument(flags), ifAnyBit(MSG_FASTOPEN, 0, 1), answer(EOPNOTSUPP), ALLOW]),
    ),
    ...(network
      ? []
      : call(mine([54, 208]), [
          ...ROUTES.flatMap(([at, ...options]) =>
            options.flatMap((name) => [loadArgument(1), ifEqual(at, 0, 3), loadArgument(2), ifEqual(name, 0, 1), answer(EPERM)]),
          ),
          ALLOW,
        ])),
    // Whoever is not dumpable cannot be supervised; that it stays so is nothing the program notices.
    ...call(mine([157, 167]), [loadArgument(0), ifEqual(PR_SET_DUMPABLE, 0, 3), loadArgument(1), ifEqual(0, 0, 1), answer(0), ALLOW]),
    ...call(mine([16, 29]), [
      ...(level >= 6 ? [] : [loadArgument(1), ...noneOf(SIGNAL_OWNERS.ioctl, EPERM)]),
      ...FILE_SYSTEMS.flatMap(([letter, allowed]) => {
        const body = [loadArgument(1), ...oneOf(allowed, EPERM), ALLOW];
        return [loadArgument(1), [0x74, 0, 0, 8] as const, mask(0xff), ifEqual(letter, 0, body.length), ...body];
      }),
      load(AT.call),
    ]),
    ...(level >= 6 ? [] : call(mine([72, 25]), [loadArgument(1), ...noneOf(SIGNAL_OWNERS.fcntl, EPERM), ALLOW])),
    ...call(mine([41, 198]), [
      ...family(1, [...kind, ALLOW]),
      ...family(2, streams),
      ...family(10, streams),
      ...family(16, [loadArgument(2), ...oneOf(NETLINK_KINDS, EPROTONOSUPPORT), ALLOW]),
      answer(EAFNOSUPPORT),
    ]),
    ...call(mine([53, 199]), [loadArgument(1), mask(0xf), ...oneOf(CONNECTED, EPROTONOSUPPORT), ALLOW]),
    // A fourth way to open needs no right of Landlock; before level 3, neither does emptying a file that is opened for reading.
    ...[[mine([2, undefined]), 1] as const, [mine([257, 56]), 2] as const].flatMap(([number, flags]) =>
      call(number, [
        loadArgument(flags),
        mask(ACCESS_MODE),
        ifEqual(ACCESS_MODE, 0, 1),
        answer(EACCES),
        ...(level >= 3 ? [] : [loadArgument(flags), mask(O_TRUNC | ACCESS_MODE), ifEqual(O_TRUNC, 0, 1), answer(EACCES)]),
        load(AT.call),
      ]),
    ),
  ];
}

/** The calls of a machine that the launcher answers, by number. */
export const listSupervised = (machine: SeccompMachine, level: number): readonly (SupervisedCall & { readonly number: number })[] =>
  SUPERVISED.flatMap((row) => {
    const number = row.numbers[machine === 'x64' ? 0 : 1];
    return number === undefined || level >= (row.until ?? Infinity) ? [] : [{ ...row, number }];
  });

/** The same as the launcher reads them: eight bytes and four more. */
export function encodeSupervised(machine: SeccompMachine, level: number): Buffer {
  return Buffer.concat(
    listSupervised(machine, level).map(({ number, act, folder = -1, path = -1, value = -1, flags = -1, nofollow }) => {
      const row = Buffer.alloc(12);
      row.writeUInt32LE(number, 0);
      row.writeUInt8(ACTS.indexOf(act) + 1, 4);
      for (const [index, argument] of [folder, path, value, flags].entries()) row.writeInt8(argument, 5 + index);
      row.writeUInt8(nofollow === true ? 1 : 0, 9);
      return row;
    }),
  );
}
