import { existsSync, lstatSync, readlinkSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { lazy } from '../../../base/lazy.ts';
import { findNodeLibraries } from '../../../base/own-node.ts';
import { listIfThere, readIfThere } from '../../../base/peek.ts';
import { resolveProfileRoot } from '../../../base/profile.ts';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import { resolveNamedPaths, resolveWritable } from './workspace.ts';
import { findCaches, type CacheLayers, type CacheOptions } from './caches.ts';
import { HOME_SECRETS, looksSecret, NOT_SHOWN_AT_TOP, SYS_HIDDEN, VAR_SHOWN } from './hidden.ts';
import type { CacheMount, HiddenPath, ListedFolder, SandboxPlan } from './mounts.ts';
import { findRootOnly, hide, hiddenIn, kernelFiles, resolver, shownOf, whoami, type SandboxOptions, type SurveyedPlan } from './survey.ts';

/** What was granted since the sandbox was opened. */
export interface GrantedPaths {
  readonly read: readonly string[];
  readonly write: readonly string[];
}
export interface AttendedSurveyOptions extends SandboxOptions, Pick<CacheOptions, 'env'> {
  /** Absent where there is no profile to keep them in. */
  readonly layers?: CacheLayers;
  readonly granted: GrantedPaths;
}

/** Looks at the machine and says what commands of somebody who watches may see: the disk but for secrets and other people's. */
export function surveyAttended(cwd: string, options: AttendedSurveyOptions): SurveyedPlan {
  const named = homedir();
  const home = realPath(named) ?? named;
  const profile = options.profile === undefined ? undefined : realPath(options.profile);
  const root = profile === undefined ? undefined : resolveProfileRoot(profile);
  const writable = [...resolveWritable(cwd, profile), ...resolveNamedPaths(options.paths), ...options.granted.write.filter(existsSync)];
  const caches = options.layers === undefined ? [] : findCaches({ home, layers: options.layers, env: options.env, writable });
  const disk = topFolders(home);
  const sockets = hostSockets();
  return {
    profile: 'attended',
    system: [...disk.shown, ...(named === home ? [] : [{ path: named, link: home }])],
    kernel: { readable: [...kernelFiles().readable, '/sys'], hidden: [...kernelFiles().hidden, ...SYS_HIDDEN.flatMap(hide)] },
    writable: withoutInner(writable),
    readable: [
      ...VAR_SHOWN.filter((path) => existsSync(path)),
      ...resolveNamedPaths(options.readPaths),
      ...resolveNamedPaths(options.skillFolders).filter((path) => !isWithin(home, path) || (root !== undefined && isWithin(root, path))),
      ...shownOf(profile),
      ...ownProgram(),
      ...(options.network === true ? resolver() : []),
      // A file that is gone has no mount, and one that cannot be made would keep the sandbox from starting.
      ...options.granted.read.filter(existsSync),
    ],
    hidden: [
      ...new Map(
        [
          ...hiddenIn(home),
          ...secretsAt(home, 'home'),
          ...['.config', '.local/share'].flatMap((name) => secretsAt(join(home, name), 'settings')),
          ...['.config', '.local/share'].flatMap((name) => secretsBelow(join(home, name))),
          ...(root === undefined ? [] : hide(root)),
          ...otherHomes(home),
          ...disk.hidden,
          ...sockets,
        ].map((each) => [each.path, each]),
      ).values(),
    ],
    home,
    listed: listHome(home, caches, root, listSocketFolders(home, sockets, writable)),
    caches,
    guarded: writable[0] === undefined ? [] : (options.guarded?.(writable[0]) ?? []),
    network: options.network === true,
    ...whoami(),
  };
}

const withoutInner = (paths: readonly string[]): string[] =>
  paths.filter((path, index) => !paths.some((other, at) => at !== index && isWithin(other, path) && (other !== path || at < index)));

/** Folders of the home in which secrets lie under a name that is known, whether they are there yet or not. */
const SECRET_FOLDERS = [...new Set(HOME_SECRETS.map((name) => dirname(name)))].filter((name) => !HOME_SECRETS.includes(name));
export const listSecretFolders = (home: string): readonly string[] => SECRET_FOLDERS.map((name) => join(home, name));

/**
 * A home is shown entry by entry, and so is any folder that lacks a cache we want to put into it. So are those that hold
 * secrets or sockets: a cover on a file goes when its tool writes it anew, and a token that comes later would have none.
 */
function listHome(home: string, caches: readonly CacheMount[], root: string | undefined, sockets: readonly string[]): ListedFolder[] {
  const lacking = caches
    .flatMap(({ path }) => (existsSync(path) ? [] : [nearestFolder(dirname(path))]))
    .filter((path) => isWithin(home, path));
  const secrets = new Set([...HOME_SECRETS.map((name) => join(home, name)), ...(root === undefined ? [] : [root])]);
  const holding = [...listSecretFolders(home), ...sockets].filter(
    (path) =>
      lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true &&
      realPath(path) === path &&
      !caches.some((cache) => isWithin(cache.path, path)),
  );
  const settings = ['.config', '.local/share'].map((name) => join(home, name));
  return [...new Set([home, ...lacking, ...holding])].map((folder) => ({
    path: folder,
    entries: listIfThere(folder).flatMap((item) => {
      const path = join(folder, item.name);
      const kind = item.isDirectory() ? 'folder' : 'file';
      const top = folder === home ? 'home' : settings.includes(folder) || settings.includes(dirname(folder)) ? 'settings' : undefined;
      const isSecret = secrets.has(path) || (top !== undefined && looksSecret(item.name, kind, top));
      if (isSecret || caches.some((cache) => cache.path === path)) return [];
      if (item.isSymbolicLink()) return [{ path, link: readlinkSync(path) }];
      return item.isFile() || item.isDirectory() ? [{ path }] : [];
    }),
  }));
}
/** Where a program has one socket it makes the next: these are shown entry by entry, or one that comes later would be there to talk to. */
const listSocketFolders = (home: string, sockets: readonly HiddenPath[], writable: readonly string[]): readonly string[] =>
  [...new Set(sockets.map(({ path }) => dirname(path)))].filter(
    (folder) => isWithin(home, folder) && !writable.some((root) => isWithin(root, folder)) && listIfThere(folder).length <= MAX_BESIDE,
  );
/** Entries that are mounted one by one for the sake of a socket. */
const MAX_BESIDE = 100;
const nearestFolder = (path: string): string => (existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path)));

const secretsAt = (folder: string, top: 'home' | 'settings'): HiddenPath[] =>
  listIfThere(folder).flatMap((item) => {
    const path = realPath(join(folder, item.name));
    const kind = path !== undefined && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? 'folder' : 'file';
    return path !== undefined && looksSecret(item.name, kind, top) ? [{ path, kind }] : [];
  });

/** Folders of programs keep their keys in files of their own. */
const secretsBelow = (folder: string): HiddenPath[] =>
  listIfThere(folder).flatMap((item) => (item.isDirectory() ? secretsAt(join(folder, item.name), 'settings') : []));

/** Homes beside ours, wherever they lie, and the disks of the Windows around us with the homes on them. */
const otherHomes = (home: string): HiddenPath[] => [
  ...(dirname(home) === '/' ? [] : hide(dirname(home))),
  ...listIfThere('/mnt').flatMap(({ name }) => (/^[a-z]$/.test(name) ? hide(join('/mnt', name, 'Users')) : [])),
];

/** What can be looked through for what only root may read; a larger folder is not shown to root at all. */
const MAX_LOOKED_AT = 2_000;

/** The folders of the disk beside those of the system. */
const topFolders = lazy((home: string): { readonly shown: SandboxPlan['system']; readonly hidden: readonly HiddenPath[] } => {
  const hidden: HiddenPath[] = [];
  const shown = listIfThere('/').flatMap((item): SandboxPlan['system'] => {
    const path = `/${item.name}`;
    if (NOT_SHOWN_AT_TOP.has(item.name) || path === home) return [];
    if (item.isSymbolicLink()) return [{ path, link: readlinkSync(path) }];
    if (!item.isDirectory() || isShutTo(path)) return [];
    const secrets =
      path === '/usr' || path === '/nix' || path === '/gnu' ? [] : findRootOnly(path, path === '/etc' ? Infinity : MAX_LOOKED_AT);
    if (secrets === undefined) return [];
    hidden.push(...secrets);
    return [{ path }];
  });
  for (const path of ['/var/log', '/var/www', '/var/cache/apt']) if (existsSync(path)) hidden.push(...(findRootOnly(path, Infinity) ?? []));
  const brew = '/home/linuxbrew/.linuxbrew';
  return { shown: [...shown, ...(existsSync(brew) ? [{ path: brew }] : [])], hidden };
});
/** Root alone may look into it, and we are root. */
const isShutTo = (path: string): boolean => process.getuid?.() === 0 && (lstatSync(path).mode & 0o005) === 0;

/** Commands that call `node` find ours where the machine has none. */
const ownProgram = (): string[] => {
  const folder = dirname(process.execPath);
  const libraries = findNodeLibraries();
  return ['/usr', homedir()].some((known) => isWithin(known, folder)) ? [] : [folder, ...(libraries === undefined ? [] : [libraries])];
};

/** Sockets of the host can be talked to through a read-only mount: those that somebody listens on are covered. */
export const hostSockets = (): HiddenPath[] =>
  readIfThere('/proc/net/unix')
    .split('\n')
    .flatMap((line) => {
      const path = line.slice(line.indexOf(' /') + 1);
      return line.includes(' /') && existsSync(path) ? [{ path: realPath(path) ?? path, kind: 'file' as const }] : [];
    });
