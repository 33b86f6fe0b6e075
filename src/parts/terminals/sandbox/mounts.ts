import { isWithin } from '../../../base/within.ts';

/** Everything that decides what a sandbox sees; gathered by `survey`, so that this can be read and tested as a table. */
export interface SandboxPlan {
  /** Folders of the system as they lie here: a link is made again, a folder is shown read-only. */
  readonly system: readonly { readonly path: string; readonly link?: string }[];
  /** The folders commands may write to, the workspace first. Real paths. */
  readonly writable: readonly string[];
  /** Parts of `/proc` by which root without any right would still rule the machine: those that can be read, and those that cannot. */
  readonly kernel: { readonly readable: readonly string[]; readonly hidden: readonly HiddenPath[] };
  /** Folders and files commands may read besides the system. */
  readonly readable: readonly string[];
  /** What must not be seen even inside of those. */
  readonly hidden: readonly HiddenPath[];
  /** The user's home: its name stands, with nothing of it inside. */
  readonly home: string;
  /** Folders of this session on the host, and where they stand inside. */
  readonly own: Readonly<Record<'tmp' | 'home' | 'bin' | 'room', string>>;
  readonly trash?: string;
  readonly network: boolean;
  readonly uid: number;
}
export interface HiddenPath {
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

/** Where what is ours stands inside. */
export const INSIDE = { bin: '/run/hermes/bin', room: '/run/hermes/room', trash: '/run/hermes/trash' } as const;

/** The command line of bubblewrap for a plan, up to the program. */
export function createSandboxArguments(plan: SandboxPlan): string[] {
  return [
    ...UNSHARED,
    ...(plan.network ? [] : ['--unshare-net']),
    ...plan.system.flatMap(({ path, link }) => (link === undefined ? ['--ro-bind', path, path] : ['--symlink', link, path])),
    '--proc',
    '/proc',
    ...plan.kernel.readable.flatMap((path) => ['--ro-bind', path, path]),
    ...plan.kernel.hidden.flatMap(covered),
    ...devices(plan.uid),
    '--tmpfs',
    '/run',
    '--tmpfs',
    '/var',
    '--symlink',
    '/tmp',
    '/var/tmp',
    '--ro-bind',
    plan.own.bin,
    INSIDE.bin,
    '--bind',
    plan.own.room,
    INSIDE.room,
    ...(plan.trash === undefined ? [] : ['--bind', plan.trash, INSIDE.trash]),
    ...listMounts(plan).flatMap(({ args }) => args),
    // Only now: a folder that is read-only takes no further mount points.
    ...hiddenHere(plan).flatMap(({ path, kind }) => (kind === 'folder' ? ['--remount-ro', path] : [])),
    '--remount-ro',
    '/run',
    '--remount-ro',
    '/',
    '--chdir',
    '/',
  ];
}

const UNSHARED = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--hostname',
  'sandbox',
  '--die-with-parent',
  '--new-session',
  '--cap-drop',
  'ALL',
  '--clearenv',
];

/**
 * Terminals of its own only for root: for anybody else bubblewrap would need a second user namespace for them, and no
 * further command could enter that.
 */
const devices = (uid: number): string[] =>
  uid === 0
    ? ['--dev', '/dev']
    : [
        '--tmpfs',
        '/dev',
        '--tmpfs',
        '/dev/shm',
        ...['null', 'zero', 'full', 'random', 'urandom', 'tty'].flatMap((name) => ['--dev-bind', `/dev/${name}`, `/dev/${name}`]),
        '--symlink',
        '/proc/self/fd',
        '/dev/fd',
        ...['stdin', 'stdout', 'stderr'].flatMap((name, index) => ['--symlink', `/proc/self/fd/${index}`, `/dev/${name}`]),
        '--remount-ro',
        '/dev',
      ];

/** Outer before inner; at the same path what is allowed comes after what is hidden, because the owner named it. */
function listMounts(plan: SandboxPlan): { readonly path: string; readonly args: readonly string[] }[] {
  const bind = (how: string) => (path: string) => ({ path, args: [how, path, path] });
  return [
    { path: '/tmp', args: ['--bind', plan.own.tmp, '/tmp'] },
    { path: plan.home, args: ['--bind', plan.own.home, plan.home] },
    ...hiddenHere(plan).map((each) => ({ path: each.path, args: covered(each) })),
    ...plan.readable.map(bind('--ro-bind')),
    ...plan.writable.map(bind('--bind')),
  ].toSorted((a, b) => depth(a.path) - depth(b.path));
}
const covered = ({ path, kind }: HiddenPath): string[] => (kind === 'folder' ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]);
const depth = (path: string): number => path.split('/').filter((part) => part !== '').length;

/** Only what would be seen has to be hidden, and nothing that was asked for by its own name. */
const hiddenHere = ({ hidden, readable, writable, system }: SandboxPlan): readonly HiddenPath[] => {
  const shown = [...readable, ...writable, ...system.flatMap(({ path, link }) => (link === undefined ? [path] : []))];
  return hidden.filter(({ path }) => shown.some((folder) => folder !== path && isWithin(folder, path)) && !shown.includes(path));
};
