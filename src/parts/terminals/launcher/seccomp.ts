import {
  ALLOW,
  answer,
  AT,
  encodeProgram,
  ifAnyBit,
  ifAtLeast,
  ifEqual,
  load,
  type CallNumbers,
  type Instruction,
  type SeccompMachine,
} from './bpf.ts';
import { createFloorRules, type FloorCalls } from './calls.ts';
import { refuseCalls } from './refused.ts';

/** How the kernel calls the machine, and numbers of its calls: those of the x86 family first, then those everybody else has. */
const ARCHITECTURES: Readonly<Record<SeccompMachine, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97];

/**
 * Calls that give a file its mode, with the argument it is in, and for those that make files only if told so that of the flags. A
 * set-user-id bit would stay on a file of the workspace: outside, whoever runs it has the owner's rights. Not the set-group-id
 * bit: shared folders have it, and a filter cannot tell a folder from a file.
 */
const MODES: readonly (readonly [name: string, numbers: CallNumbers, mode: number, flags?: number])[] = [
  ['chmod', [90, undefined], 1],
  ['fchmod', [91, 52], 1],
  ['fchmodat', [268, 53], 2],
  ['fchmodat2', [452, 452], 2],
  ['creat', [85, undefined], 1],
  ['mknod', [133, undefined], 1],
  ['mknodat', [259, 33], 2],
  ['open', [2, undefined], 2, 1],
  ['openat', [257, 56], 3, 2],
];
const S_ISUID = 0o4000;
/** O_CREAT, and O_TMPFILE without the folder's bit: without one of them the mode is whatever happens to lie there. */
const MAKES_FILE = 0x40 | 0x40_0000;
const IOCTL: CallNumbers = [16, 29];
const SOCKET: CallNumbers = [41, 198];
/** Types into a terminal as if somebody sat there. */
const TYPING = [0x5412, 0x541c];
/** Families from here on are for virtual machines (vsock), field buses and the like; networks and pipes lie below. */
const FIRST_ODD_FAMILY = 21;
/** Calls of the x32 kind have numbers of their own, from here on. */
const X32 = 0x4000_0000;

const CLONE: CallNumbers = [56, 220];
const CLONE_THREAD = 0x1_0000;
const CLONE_NEWUSER = 0x1000_0000;
/**
 * Calls that make a user namespace, in which a command has every right over what it makes there: much of the kernel that nobody
 * else reaches. All have the flags in front; those of clone3 lie behind a pointer, where no filter sees them, and libraries that
 * cannot have it take clone.
 */
const MAKES_NAMESPACE: readonly (readonly [name: string, numbers: CallNumbers])[] = [
  ['clone', CLONE],
  ['unshare', [272, 97]],
];

export interface SeccompOptions {
  /** `false`: threads, but no further process. */
  readonly forks?: boolean;
  /** `false`: no memory and no disk that nobody can count. */
  readonly hoards?: boolean;
  /** `false`: no user namespaces. */
  readonly namespaces?: boolean;
  /** What the floor adds, which has no namespaces. */
  readonly floor?: FloorCalls;
}
/** The filter for a machine, as the kernel reads it: eight bytes an instruction. Pure, and the same for everybody. */
export function createSeccompFilter(machine: SeccompMachine, options: SeccompOptions = {}): Buffer {
  const { forks = true, hoards = true, namespaces = true, floor } = options;
  const mine = ([x64, arm64]: CallNumbers): number | undefined => (machine === 'x64' ? x64 : arm64);
  const program: readonly Instruction[] = [
    load(AT.machine),
    ifEqual(ARCHITECTURES[machine], 1, 0),
    answer(ENOSYS),
    load(AT.call),
    ...(machine === 'x64' ? [ifAtLeast(X32, 0, 1), answer(ENOSYS)] : []),
    ...(floor === undefined ? [] : createFloorRules(machine, floor)),
    ...refuseCalls(machine, [
      'always',
      ...(forks ? [] : (['no forks'] as const)),
      ...(hoards ? [] : (['no hoards'] as const)),
      ...(namespaces ? [] : (['no namespaces'] as const)),
    ]),
    ...(namespaces ? [] : MAKES_NAMESPACE).flatMap(([, numbers]) => [
      ifEqual(mine(numbers) ?? 0, 0, 4),
      load(AT.argument(0)),
      ifAnyBit(CLONE_NEWUSER, 0, 1),
      answer(EPERM),
      load(AT.call),
    ]),
    ...MODES.flatMap(([, numbers, mode, flags]): Instruction[] => {
      const number = mine(numbers);
      if (number === undefined) return [];
      const refuse = [load(AT.argument(mode)), ifAnyBit(S_ISUID, 0, 1), answer(EPERM), ALLOW];
      const rule = flags === undefined ? refuse : [load(AT.argument(flags)), ifAnyBit(MAKES_FILE, 0, 3), ...refuse];
      return [ifEqual(number, 0, rule.length), ...rule];
    }),
    ...(forks ? [] : [ifEqual(mine(CLONE) ?? 0, 0, 4), load(AT.argument(0)), ifAnyBit(CLONE_THREAD, 1, 0), answer(EPERM), ALLOW]),
    ifEqual(mine(SOCKET) ?? 0, 0, 4),
    load(AT.argument(0)),
    ifAtLeast(FIRST_ODD_FAMILY, 0, 1),
    answer(EAFNOSUPPORT),
    ALLOW,
    ifEqual(mine(IOCTL) ?? 0, 0, 1 + TYPING.length),
    load(AT.argument(1)),
    ...TYPING.map((request, index) => ifEqual(request, TYPING.length - index, 0)),
    ALLOW,
    answer(EPERM),
  ];
  return encodeProgram(program);
}

/** The namespaces of users, mounts, processes, System V and names; that of the network has a flag of its own. */
const NAMESPACES = 0x1000_0000 + 0x0002_0000 + 0x2000_0000 + 0x0800_0000 + 0x0400_0000;
const NETWORK_NAMESPACE = 0x4000_0000;

/** What of a holder a command enters, as the program takes it. */
export const toNamespaceFlags = (sharesNetwork: boolean): number => NAMESPACES + (sharesNetwork ? 0 : NETWORK_NAMESPACE);
