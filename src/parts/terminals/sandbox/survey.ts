import { existsSync, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { lazy } from '../../../base/lazy.ts';
import { resolveProfileRoot } from '../../../base/profile.ts';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import type { WallProfile } from '../../../contracts/wall.ts';
import { resolveNamedPaths, SYSTEM_FOLDERS } from './workspace.ts';
import { GUEST_SETTINGS, HOME_SECRETS, KERNEL_HIDDEN, KERNEL_READ_ONLY, PROFILE_SHOWN } from './hidden.ts';
import { findToolchains } from './toolchains.ts';
import type { GuardedMount, HiddenPath, SandboxPlan } from './mounts.ts';
import type { OpenSandboxNetwork } from './network-port.ts';
import type { SandboxTools } from './tools.ts';

export interface SandboxOptions {
  /** The profile's folder: hidden but for what commands are told to read. */
  readonly profile?: string;
  /** Further folders commands may write to, and read. `~` is the user's home. */
  readonly paths?: readonly string[];
  readonly readPaths?: readonly string[];
  /** Folders of skills; shown as well, but for those that commands may write to anyway. */
  readonly skillFolders?: readonly string[];
  readonly network?: boolean;
  /** Names of variables the owner passes through. */
  readonly pass?: readonly string[];
  /** What the sandbox shows: by default what work nobody watches may see. */
  readonly wall?: WallProfile;
  /** Others than the owner ask and read the answers: they learn nothing of this machine that their commands do not need. */
  readonly forGuests?: true;
  /** What lets commands talk to others; without it there is no network but by `network`. */
  readonly openNetwork?: OpenSandboxNetwork;
  /** Paths of the workspace that are mounts of their own, looked for before each new holder. */
  guarded?(workspace: string): readonly GuardedMount[];
  /** How much temporary files of a session may take, in megabytes; 0 means no limit. */
  readonly tempMb?: number;
  /** A line for the owner. */
  notice?(words: string): void;
  /** Opens a folder of its own for what `rm` deletes inside; told where commands may write. */
  trash?(roots: readonly string[]): Promise<TrashBox>;
  /** The workspace when the session's folder cannot be one, because it is the home, the system or all of the disk. */
  readonly instead?: string;
  /** What makes the sandbox; absent means the best that works here. */
  readonly tools?: SandboxTools;
}
/** All that a sandbox sees of the trash; closed when it ends. */
export interface TrashBox {
  readonly folder: string;
  close(): void;
}
export type SurveyedPlan = Omit<SandboxPlan, 'own' | 'inside' | 'trash' | 'shown' | 'terminals'>;

/** Looks at the machine and says what a sandbox for this workspace may see. */
export function survey(workspace: string, options: SandboxOptions, env: Readonly<Record<string, string>> = {}): SurveyedPlan {
  const home = homedir();
  const profile = options.profile === undefined ? undefined : realPath(options.profile);
  const extra = resolveNamedPaths(options.paths).filter((path) => !isWithin(workspace, path));
  const writable = [workspace, ...extra];
  const skills = resolveNamedPaths(options.skillFolders).filter((path) => !writable.some((folder) => isWithin(folder, path)));
  const toolchains = findToolchains(home, env['PATH'] ?? '').filter(
    (path) => ![...writable, ...(profile === undefined ? [] : [resolveProfileRoot(profile)])].some((folder) => isWithin(folder, path)),
  );
  return {
    profile: 'unattended',
    system: systemFolders().filter(({ path }) => options.forGuests !== true || path !== '/etc'),
    kernel: kernelFiles(),
    writable,
    readable: [
      ...resolveNamedPaths(options.readPaths),
      ...skills,
      ...toolchains,
      ...(options.forGuests === true ? listGuestSettings() : []),
      ...shownOf(profile),
      ...(options.network === true ? resolver() : []),
    ],
    hidden: [
      ...[...new Set([home, realPath(home) ?? home])].flatMap(hiddenIn),
      ...(profile === undefined ? [] : hide(resolveProfileRoot(profile))),
      ...rootOnly(),
    ],
    home,
    listed: [],
    caches: [],
    guarded: options.guarded?.(workspace) ?? [],
    network: options.network === true,
    ...(options.forGuests === true && { forGuests: true }),
    ...whoami(),
  };
}

/** Links lead to where the files are shown anyway. */
const listGuestSettings = lazy((): string[] =>
  readdirSync('/etc').flatMap((name) => (GUEST_SETTINGS.test(name) ? [join('/etc', name)] : [])),
);

export const whoami = (): Pick<SandboxPlan, 'uid' | 'gid'> => ({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 });

const systemFolders = lazy((): SandboxPlan['system'] =>
  SYSTEM_FOLDERS.flatMap((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return [];
    return found.isSymbolicLink() ? [{ path, link: readlinkSync(path) }] : [{ path }];
  }),
);

export const kernelFiles = lazy((): SandboxPlan['kernel'] => ({
  readable: KERNEL_READ_ONLY.filter((path) => existsSync(path)),
  hidden: KERNEL_HIDDEN.flatMap(hide),
}));

export const hide = (path: string): HiddenPath[] => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? [] : [{ path, kind: found.isDirectory() ? 'folder' : 'file' }];
};
/** Links are hidden where they lead: what is mounted over a link is mounted there anyway. */
export const hiddenIn = (home: string): HiddenPath[] =>
  HOME_SECRETS.flatMap((name) => hide(join(home, name)).map(({ path, kind }) => ({ path: realPath(path) ?? path, kind })));

export const shownOf = (profile: string | undefined): string[] =>
  profile === undefined ? [] : PROFILE_SHOWN.flatMap((name) => realPath(join(profile, name)) ?? []);

/** The file that names the servers to ask often lies outside of `/etc`. */
export const resolver = (): string[] => {
  const real = realPath('/etc/resolv.conf');
  return real === undefined || real === '/etc/resolv.conf' ? [] : [real];
};

/** Root inside is root outside as far as files go: what others may not read there is not shown to it either. */
const rootOnly = lazy((): HiddenPath[] => findRootOnly('/etc', Infinity) ?? []);

/** What only root may read below a folder; nothing at all where there is too much to look at. */
export function findRootOnly(folder: string, most: number): HiddenPath[] | undefined {
  if (process.getuid?.() !== 0) return [];
  const found: HiddenPath[] = [];
  const left = [folder];
  for (let seen = 0, at = left.pop(); at !== undefined; at = left.pop()) {
    const items = readdirSync(at, { withFileTypes: true });
    seen += items.length;
    if (seen > most) return undefined;
    for (const item of items) {
      const path = join(at, item.name);
      if (!item.isFile() && !item.isDirectory()) continue;
      const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0o777;
      if ((mode & (item.isDirectory() ? 0o005 : 0o004)) === 0) found.push(...hide(path));
      else if (item.isDirectory()) left.push(path);
    }
  }
  return found;
}
