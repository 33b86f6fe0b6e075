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

/** How the launcher carries a supervised call out; the numbers are those of `launcher.c`. */
const ACTS = { connect: 1, bind: 2, listen: 3, signal: 4, mode: 5, owner: 6, times: 7, timevals: 8, time: 9, truncate: 10 } as const;

interface SupervisedCall {
  readonly act: keyof typeof ACTS;
  readonly numbers: CallNumbers;
  /** In which arguments the folder, the path, the value and the flags are. */
  readonly folder?: number;
  readonly path?: number;
  readonly value?: number;
  readonly flags?: number;
  /** A link itself is meant. */
  readonly nofollow?: true;
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
];

const [EPERM, EACCES, EOPNOTSUPP, EAFNOSUPPORT, EPROTONOSUPPORT] = [1, 13, 95, 97, 93];

/** Calls that act on files or processes of the owner and that programs do without. */
const REFUSED: readonly (readonly [name: string, numbers: CallNumbers, errno: number])[] = [
  ['setxattr', [188, 5], EOPNOTSUPP],
  ['lsetxattr', [189, 6], EOPNOTSUPP],
  ['fsetxattr', [190, 7], EOPNOTSUPP],
  ['removexattr', [197, 14], EOPNOTSUPP],
  ['lremovexattr', [198, 15], EOPNOTSUPP],
  ['fremovexattr', [199, 16], EOPNOTSUPP],
  ['setxattrat', [463, 463], EOPNOTSUPP],
  ['removexattrat', [466, 466], EOPNOTSUPP],
  ['file_setattr', [469, 469], EOPNOTSUPP],
  ['rt_sigqueueinfo', [129, 138], EPERM],
  ['rt_tgsigqueueinfo', [297, 240], EPERM],
  ['pidfd_send_signal', [424, 424], EPERM],
  ['mq_open', [240, 180], EACCES],
  ['mq_unlink', [241, 181], EACCES],
  ['shmctl', [31, 195], EACCES],
  ['msgctl', [71, 187], EACCES],
];
/** Requests of `ioctl` that change attributes of a file which is only open for reading. */
export const FILE_ATTRIBUTES = [0x4008_6602, 0x401c_5820, 0x4008_7602, 0x4080_6685, 0x800c_6613] as const;

const CONNECTED = [1, 5]; // SOCK_STREAM, SOCK_SEQPACKET: the others go to an address with each message
const PROTOCOLS = [0, 6, 262]; // any, TCP, MPTCP
const NETLINK_KINDS = [0, 4]; // routes and sockets, which programs only look at
const MSG_FASTOPEN = 0x2000_0000;
const SENDS: readonly (readonly [numbers: CallNumbers, flags: number])[] = [
  [[44, 206], 3], // sendto
  [[46, 211], 2], // sendmsg
  [[307, 269], 3], // sendmmsg
];
const OPENS: readonly (readonly [numbers: CallNumbers, flags: number])[] = [
  [[2, undefined], 1], // open
  [[257, 56], 2], // openat
];
const O_TRUNC = 0o1000;
/** Neither reading nor writing, as some drivers take it: Landlock judges it as little as it is either. */
const O_NEITHER = 3;
const TELLS_WHOM = { fcntl: [8, 15], ioctl: [0x8901, 0x8902] } as const; // F_SETOWN, F_SETOWN_EX, FIOSETOWN, SIOCSPGRP

const loadArgument = (index: number): Instruction => load(AT.argument(index));
const oneOf = (values: readonly number[], no: number): Instruction[] => [
  ...values.map((value, index) => ifEqual(value, values.length - index, 0)),
  answer(no),
];
const noneOf = (values: readonly number[], no: number): Instruction[] => [
  ...values.map((value, index) => ifEqual(value, values.length - 1 - index, index === values.length - 1 ? 1 : 0)),
  answer(no),
  load(AT.call),
];
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
  const streams = network ? [ALLOW] : [...kind, loadArgument(2), ...oneOf(PROTOCOLS, EPROTONOSUPPORT), ALLOW];
  return [
    ...listSupervised(machine, level).flatMap(({ number }) => call(number, [SUPERVISE])),
    ...REFUSED.flatMap(([, numbers, errno]) => call(mine(numbers), [answer(errno)])),
    ...SENDS.flatMap(([numbers, flags]) =>
      call(mine(numbers), [loadArgument(flags), ifAnyBit(MSG_FASTOPEN, 0, 1), answer(EOPNOTSUPP), ALLOW]),
    ),
    // Of another process: its limits. Zero is the process itself.
    ...call(mine([302, 261]), [loadArgument(0), ifEqual(0, 2, 0), loadArgument(2), ifEqual(0, 0, 1), ALLOW, answer(EPERM)]),
    ...call(mine([41, 198]), [
      ...family(1, [...kind, ALLOW]),
      ...family(2, streams),
      ...family(10, streams),
      ...family(16, [loadArgument(2), ...oneOf(NETLINK_KINDS, EPROTONOSUPPORT), ALLOW]),
      answer(EAFNOSUPPORT),
    ]),
    ...call(mine([53, 199]), [loadArgument(1), mask(0xf), ...oneOf(CONNECTED, EPROTONOSUPPORT), ALLOW]),
    ...OPENS.flatMap(([numbers, flags]) =>
      call(mine(numbers), [
        loadArgument(flags),
        mask(O_TRUNC | O_NEITHER),
        ...noneOf([O_NEITHER, O_TRUNC | O_NEITHER, ...(level >= 3 ? [] : [O_TRUNC])], EACCES),
      ]),
    ),
    // Who is sent a signal for what happens to a file.
    ...(level >= 6
      ? []
      : [
          ...call(mine([72, 25]), [loadArgument(1), ...noneOf(TELLS_WHOM.fcntl, EPERM)]),
          ...call(mine([16, 29]), [loadArgument(1), ...noneOf(TELLS_WHOM.ioctl, EPERM)]),
        ]),
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
      row.writeUInt8(ACTS[act], 4);
      for (const [index, argument] of [folder, path, value, flags].entries()) row.writeInt8(argument, 5 + index);
      row.writeUInt8(nofollow === true ? 1 : 0, 9);
      return row;
    }),
  );
}
