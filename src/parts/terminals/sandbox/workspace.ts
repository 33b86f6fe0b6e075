import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { lazy } from '../../../base/lazy.ts';
import { resolveProfileRoot } from '../../../base/profile.ts';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import { splitWords } from '../../../base/text.ts';

/** What of the system is shown, read-only. Everything else of a disk stays out of sight. */
export const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix', '/gnu'];
/** A folder here, or any within, is no workspace: what lies there runs by itself when the owner does something else. */
const RUNS_LATER_IN_HOME = splitWords(`
  .config .local .local/bin .local/share .local/lib bin .bashrc.d .profile.d .zsh .oh-my-zsh .ssh .gnupg .config/systemd .config/autostart
  .config/git .config/fish .config/environment.d Library/LaunchAgents`);

/** Folders of the system, and where they really are. They stay there while a process lives. */
const findSystemPlaces = lazy(() =>
  ['/tmp', '/proc', '/dev', '/run', '/sys', '/var', ...SYSTEM_FOLDERS].map((path) => [path, realPath(path) ?? path] as const),
);

/** Folders as the owner named them, where they really are; one that is not there is left out. */
export const resolveNamedPaths = (paths: readonly string[] = []): string[] =>
  paths.flatMap((path) => realPath(resolve(path.replace(/^~(?=\/|$)/, homedir()))) ?? []);

/** What the session's folder stands for, or why it cannot be a workspace. */
export function resolveWorkspace(cwd: string, profile: string | undefined): { readonly workspace: string } | { readonly why: string } {
  const workspace = realPath(cwd);
  if (workspace === undefined) return { why: `${cwd} is not there` };
  const own = [homedir(), tmpdir(), ...(profile === undefined ? [] : [resolveProfileRoot(profile), profile])];
  const places = [...own.map((path) => [path, realPath(path) ?? path] as const), ...findSystemPlaces()];
  const held = places.find(([, real]) => isWithin(workspace, real))?.[0];
  return held === undefined ? { workspace } : { why: `${workspace} holds ${held}` };
}

/** The session's folder, unless what lies there is the system's, the agent's own, or runs when the owner does something else. */
export function resolveWritable(cwd: string, profile: string | undefined): string[] {
  const root = profile === undefined ? undefined : resolveProfileRoot(profile);
  const workspace = realPath(cwd);
  if (workspace === undefined) return [];
  const home = realPath(homedir()) ?? homedir();
  const holds = [home, tmpdir(), '/tmp', '/proc', '/dev', '/run', '/sys', '/var', ...(root === undefined ? [] : [root])];
  const lies = [
    ...SYSTEM_FOLDERS.filter((path) => path !== '/opt'),
    '/boot',
    '/proc',
    '/dev',
    '/run',
    '/sys',
    ...(root === undefined ? [] : [root]),
  ];
  const works = root === undefined ? [] : ['workspace', 'sandboxes'].map((name) => join(root, name));
  if (works.some((path) => path !== workspace && isWithin(path, workspace)) || works[0] === workspace) return [workspace];
  const isOwn =
    holds.some((path) => isWithin(workspace, realPath(path) ?? path)) ||
    lies.some((path) => isWithin(path, workspace) && !(path === '/dev' && isInMemory(workspace))) ||
    RUNS_LATER_IN_HOME.some((name) => join(home, name) === workspace || isWithin(workspace, join(home, name)));
  return isOwn ? [] : [workspace];
}
/** A folder in memory is as good a place to work in as one on a disk. */
const isInMemory = (path: string): boolean => path !== '/dev/shm' && isWithin('/dev/shm', path);

/** Folders that hold the homes of people. */
const HOMES: ReadonlySet<string> = new Set(['/home', '/Users']);
/**
 * Whether the owner may trust a folder as a whole, by its real path: what a sandbox would make writable, and no more. The home,
 * the system, the profile and folders whose files run when the owner does something else are never trusted.
 */
export const canTrustFolder = (folder: string, profile: string): boolean =>
  !HOMES.has(folder) && resolveWritable(folder, profile)[0] === folder;
