import { answer, ifEqual, type Instruction, type SeccompMachine } from './bpf.ts';

/** When a call is refused: in every sandbox, where there is nothing but the floor, or where a sandbox lacks something. */
export type RefusedWhen = 'always' | 'floor' | 'no forks' | 'no hoards' | 'no namespaces';
const [EPERM, EACCES, ENOSYS, EOPNOTSUPP] = [1, 13, 38, 95];

/** Calls that programs do without, by their numbers on x64 and on arm64 (0 where there is none), with what is answered. */
const REFUSED: readonly (readonly [when: readonly RefusedWhen[], why: string, errno: number, calls: string])[] = [
  [
    ['floor'],
    'attributes of files of the owner',
    EOPNOTSUPP,
    'setxattr 188 5, lsetxattr 189 6, fsetxattr 190 7, removexattr 197 14, lremovexattr 198 15, fremovexattr 199 16, setxattrat 463 463, removexattrat 466 466, file_setattr 469 469',
  ],
  [['floor'], 'signals to any process', EPERM, 'rt_sigqueueinfo 129 138, rt_tgsigqueueinfo 297 240, pidfd_send_signal 424 424'],
  [['floor'], 'queues of any program', EACCES, 'mq_open 240 180, mq_unlink 241 181'],
  [
    ['floor'],
    'memory, semaphores and messages of System V, which have names for all programs of a user',
    ENOSYS,
    'shmget 29 194, shmat 30 196, shmctl 31 195, semget 64 190, semop 65 193, semctl 66 191, semtimedop 220 192, msgget 68 186, msgsnd 69 189, msgrcv 70 188, msgctl 71 187',
  ],
  [
    ['floor'],
    'file systems that are only made, which can empty folders: Landlock is not asked about them',
    EPERM,
    'mount 165 40, umount2 166 39, pivot_root 155 41, open_tree 428 428, move_mount 429 429, fsopen 430 430, fsconfig 431 431, fsmount 432 432, fspick 433 433, mount_setattr 442 442, open_tree_attr 467 467',
  ],
  [['always'], 'what no filter sees once it runs', ENOSYS, 'io_uring_setup 425 425, io_uring_enter 426 426, io_uring_register 427 427'],
  [['always'], 'keys of the kernel', ENOSYS, 'add_key 248 217, request_key 249 218, keyctl 250 219'],
  [['always'], 'the depths of the kernel', EPERM, 'bpf 321 280, perf_event_open 298 241, userfaultfd 323 282, open_by_handle_at 304 265'],
  [['always'], 'a mode behind a pointer, where no filter sees it; programs fall back to openat', ENOSYS, 'openat2 437 437'],
  [
    ['always'],
    'the machine as a whole',
    EPERM,
    'lookup_dcookie 212 18, kexec_load 246 104, kexec_file_load 320 294, init_module 175 105, finit_module 313 273, delete_module 176 106, acct 163 89, quotactl 179 60, swapon 167 224, swapoff 168 225, reboot 169 142, syslog 103 116, vhangup 153 58, iopl 172 0, ioperm 173 0',
  ],
  [['no forks'], 'another process', EPERM, 'fork 57 0, vfork 58 0'],
  [['no forks', 'no namespaces'], 'flags behind a pointer; libraries fall back to clone', ENOSYS, 'clone3 435 435'],
  [
    ['no hoards'],
    'memory without a process or a folder, where nothing counts it',
    ENOSYS,
    'memfd_create 319 279, memfd_secret 447 447, shmget 29 194, msgget 68 186',
  ],
  [['no hoards'], 'a file of any size at once', EOPNOTSUPP, 'fallocate 285 47'],
];

/** The part of a filter that refuses them; the number of the call is loaded. */
export const refuseCalls = (machine: SeccompMachine, when: readonly RefusedWhen[]): Instruction[] =>
  REFUSED.filter(([conditions]) => conditions.some((each) => when.includes(each))).flatMap(([, , errno, calls]) =>
    calls.split(', ').flatMap((call): Instruction[] => {
      const number = Number(call.split(' ')[machine === 'x64' ? 1 : 2]);
      return number === 0 ? [] : [ifEqual(number, 0, 1), answer(errno)];
    }),
  );
