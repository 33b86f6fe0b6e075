import type { WallProfile } from '../../../contracts/wall.ts';
import { isWithin } from '../../../base/within.ts';
import { splitWords } from '../../../base/text.ts';

/** Everything that decides what a sandbox sees; gathered by a survey, so that this can be read and tested as a table. */
export interface SandboxPlan {
  readonly profile: WallProfile;
  /** Folders of the system as they lie here: a link is made again, a folder is shown read-only. */
  readonly system: readonly ShownEntry[];
  /** The folders commands may write to, the workspace first. Real paths. */
  readonly writable: readonly string[];
  /** Parts of `/proc` and `/sys` by which root without any right would still rule the machine: those that can be read, and those that cannot. */
  readonly kernel: { readonly readable: readonly string[]; readonly hidden: readonly HiddenPath[] };
  /** Folders and files commands may read besides the system. */
  readonly readable: readonly string[];
  /** What must not be seen even inside of those. */
  readonly hidden: readonly HiddenPath[];
  /** The user's home: unattended its name stands with nothing of it inside, attended it is one of `listed`. */
  readonly home: string;
  /** Folders that are shown entry by entry: what is not named is not there, and what appears later is not either. */
  readonly listed: readonly ListedFolder[];
  /** Folders of tools, by the path commands know them under, with the folder of ours that takes what they write. */
  readonly caches: readonly CacheMount[];
  /** Paths inside of the workspace that are a mount of their own: they cannot be moved away, and `ro` ones not be changed. */
  readonly guarded: readonly GuardedMount[];
  /** Folders of this session on the host. */
  readonly own: OwnFolders;
  /** Where commands find them. */
  readonly inside: InsideFolders;
  readonly trash?: string;
  /** Folders of the host that are shown read-only at a path of their own, over what stands there. */
  readonly shown?: readonly ShownFolder[];
  /** A folder of the host where terminals of its own were mounted for it; absent where that was not possible. */
  readonly terminals?: string;
  readonly network: boolean;
  /** Not to be seen: users, processes and the name of this machine. */
  readonly forGuests?: true;
  readonly uid: number;
  readonly gid: number;
}
export interface HiddenPath {
  readonly path: string;
  readonly kind: 'file' | 'folder';
}
interface ShownEntry {
  readonly path: string;
  /** It is a link, and leads there. */
  readonly link?: string;
}
export interface ListedFolder {
  readonly path: string;
  readonly entries: readonly ShownEntry[];
}
export interface CacheMount {
  /** Whose cache it is. */
  readonly name: string;
  readonly path: string;
  /** The agent's own folder for it, on the host. */
  readonly own: string;
  /** Laid over the owner's folder, which shows through and is never changed; absent where only the agent's own is seen. */
  readonly over?: { readonly lower: string; readonly work: string; readonly at: string };
}
/** A folder of the host, and where it stands inside. */
export interface ShownFolder {
  readonly at: string;
  readonly from: string;
}
export interface GuardedMount {
  readonly path: string;
  readonly how: 'rw' | 'ro';
}

export type OwnFolders = Readonly<Record<'tmp' | 'home' | 'bin' | 'room' | 'sockets', string>>;
export type InsideFolders = Readonly<Record<keyof OwnFolders | 'trash', string>>;

/** Where the folders of a session are mounted. */
export const mountedFolders = (home: string): InsideFolders => ({
  tmp: '/tmp',
  home,
  bin: '/run/hermes/bin',
  room: '/run/hermes/room',
  trash: '/run/hermes/trash',
  sockets: '/run/hermes/sockets',
});

/** One thing a sandbox sees, at a path of its own. Of several that hold a path the last counts. */
export type SandboxMount =
  | { readonly at: string; readonly how: 'rw' | 'ro'; readonly from: string; readonly maybe?: true }
  | { readonly at: string; readonly how: 'link'; readonly to: string }
  | { readonly at: string; readonly how: 'empty' | 'nothing' };

/** The command line of bubblewrap for a plan, up to the program. */
export function createSandboxArguments(plan: SandboxPlan): string[] {
  return [
    ...UNSHARED,
    ...(plan.network ? [] : ['--unshare-net']),
    ...(plan.forGuests === true ? ['--hostname', 'sandbox'] : []),
    ...(plan.terminals === undefined ? [] : ['--uid', String(plan.uid), '--gid', String(plan.gid)]),
    ...listSystemMounts(plan).flatMap(toArguments),
    '--proc',
    '/proc',
    ...listKernelMounts(plan).flatMap(toArguments),
    ...devices(plan),
    ...listRoomMounts(plan).flatMap(toArguments),
    ...listOwnerMounts(plan).flatMap(toArguments),
    // Only now: a folder that is read-only takes no further mount points.
    ...coveredFolders(hiddenHere(plan)).flatMap((at) => ['--remount-ro', at]),
    ...plan.listed.flatMap(({ path }) => ['--remount-ro', path]),
    // What lies in memory is written to nowhere but in `/dev/shm`, where it is counted.
    ...[...coveredFolders(plan.kernel.hidden), '/var', '/run', '/'].flatMap((at) => ['--remount-ro', at]),
    '--chdir',
    '/',
  ];
}

/** File systems that the kernel makes. */
export const KERNEL_FOLDERS = ['/proc', '/dev', '/sys'] as const;

/** All of what a sandbox sees, in the order it is mounted. */
export const listSandboxMounts = (plan: SandboxPlan): readonly SandboxMount[] => [
  { at: '/', how: 'empty' },
  ...listSystemMounts(plan),
  ...KERNEL_FOLDERS.map((at): SandboxMount => ({ at, how: 'empty' })),
  ...listRoomMounts(plan),
  ...listOwnerMounts(plan),
];

const toArguments = (mount: SandboxMount): string[] => {
  if ('from' in mount) return [`--${mount.how === 'ro' ? 'ro-' : ''}bind${mount.maybe === true ? '-try' : ''}`, mount.from, mount.at];
  if ('to' in mount) return ['--symlink', mount.to, mount.at];
  return mount.how === 'empty' ? ['--tmpfs', mount.at] : ['--ro-bind', '/dev/null', mount.at];
};

const coveredFolders = (hidden: readonly HiddenPath[]): string[] => hidden.flatMap(({ path, kind }) => (kind === 'folder' ? [path] : []));

const UNSHARED = splitWords(`--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --die-with-parent --new-session
  --cap-drop ALL --clearenv`);

const ro = (path: string): SandboxMount => ({ at: path, how: 'ro', from: path });
/** What was there a moment ago may be gone. */
const listed = (entry: ShownEntry): SandboxMount =>
  entry.link === undefined ? { at: entry.path, how: 'ro', from: entry.path, maybe: true } : shown(entry);
const shown = ({ path, link }: ShownEntry): SandboxMount => (link === undefined ? ro(path) : { at: path, how: 'link', to: link });
const covered = ({ path, kind }: HiddenPath): SandboxMount => ({ at: path, how: kind === 'folder' ? 'empty' : 'nothing' });

const listSystemMounts = ({ system }: SandboxPlan): SandboxMount[] => system.map(shown);
const listKernelMounts = ({ kernel }: SandboxPlan): SandboxMount[] => [...kernel.readable.map(ro), ...kernel.hidden.map(covered)];

/** What every sandbox has to itself. */
const listRoomMounts = ({ own, inside, trash }: SandboxPlan): SandboxMount[] => [
  { at: '/run', how: 'empty' },
  { at: '/var', how: 'empty' },
  { at: '/var/tmp', how: 'link', to: '/tmp' },
  { at: inside.bin, how: 'ro', from: own.bin },
  { at: inside.room, how: 'rw', from: own.room },
  { at: inside.sockets, how: 'ro', from: own.sockets },
  ...(trash === undefined ? [] : [{ at: inside.trash, how: 'rw', from: trash } as const]),
];

/** Outer before inner; at the same path what is allowed comes after what is hidden, because the owner named it. */
function listOwnerMounts(plan: SandboxPlan): SandboxMount[] {
  const rows: readonly SandboxMount[] = [
    { at: plan.inside.tmp, how: 'rw', from: plan.own.tmp },
    ...(plan.profile === 'unattended' ? [{ at: plan.inside.home, how: 'rw', from: plan.own.home } as const] : []),
    ...plan.listed.flatMap(({ path, entries }): SandboxMount[] => [{ at: path, how: 'empty' }, ...entries.map(listed)]),
    ...hiddenHere(plan).map(covered),
    ...plan.readable.map(ro),
    ...plan.caches.map(({ path, own, over }): SandboxMount => ({ at: path, how: 'rw', from: over?.at ?? own })),
    ...plan.writable.map((path): SandboxMount => ({ at: path, how: 'rw', from: path })),
    // They were listed when the session began; the owner may have made the repository anew since.
    ...plan.guarded.map(({ path, how }): SandboxMount => ({ at: path, how, from: path, maybe: true })),
    // A remote may go away while the session lasts.
    ...(plan.shown ?? []).map(({ at, from }): SandboxMount => ({ at, how: 'ro', from, maybe: true })),
  ];
  return rows.toSorted((a, b) => depth(a.at) - depth(b.at));
}
const depth = (path: string): number => path.split('/').filter((part) => part !== '').length;

/** Only what would be seen has to be hidden, and nothing that was asked for by its own name. */
const hiddenHere = ({ hidden, readable, writable, system, listed: folders, caches }: SandboxPlan): readonly HiddenPath[] => {
  const entries = [...system, ...folders.flatMap((folder) => folder.entries)].flatMap(({ path, link }) =>
    link === undefined ? [path] : [],
  );
  const named = [...readable, ...writable, ...entries, ...caches.map(({ path }) => path)];
  return hidden.filter(({ path }) => named.some((folder) => folder !== path && isWithin(folder, path)) && !named.includes(path));
};

/** Without terminals prepared for it only root has any: for anybody else bubblewrap would need a second user namespace for
 * them, and no further command could enter that. */
const devices = ({ uid, terminals }: SandboxPlan): readonly string[] =>
  uid === 0 && terminals === undefined
    ? splitWords('--dev /dev --tmpfs /dev/shm --remount-ro /dev')
    : [
        ...splitWords('--tmpfs /dev --tmpfs /dev/shm'),
        ...splitWords('null zero full random urandom tty').flatMap((name) => ['--dev-bind', `/dev/${name}`, `/dev/${name}`]),
        ...(terminals === undefined ? [] : ['--dev-bind', terminals, ...splitWords('/dev/pts --symlink pts/ptmx /dev/ptmx')]),
        ...splitWords('--symlink /proc/self/fd /dev/fd'),
        ...splitWords('stdin stdout stderr').flatMap((name, index) => ['--symlink', `/proc/self/fd/${index}`, `/dev/${name}`]),
        ...splitWords('--remount-ro /dev'),
      ];
