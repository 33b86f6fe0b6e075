import { readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Env } from './env.ts';
import { UsageError } from './errors.ts';
import { findNearest } from './text.ts';

/** The profile that lies in the root itself. */
export const DEFAULT_PROFILE = 'default';
const PROFILES = 'profiles';

/** Names of folders and words of a command line: nothing that could lead elsewhere or be read as an option. */
export const isProfileName = (name: string): boolean => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name);

/** The folder that all profiles lie in: a profile's home is the root itself, or a folder in `profiles` below it. */
export function resolveProfileRoot(home: string): string {
  const folder = dirname(resolve(home));
  return basename(folder) === PROFILES && isProfileName(basename(home)) ? dirname(folder) : resolve(home);
}

/** What the profile of a home is called. */
export const toProfileName = (home: string): string =>
  resolveProfileRoot(home) === resolve(home) ? DEFAULT_PROFILE : basename(resolve(home));

export const toProfileHome = (root: string, name: string): string => (name === DEFAULT_PROFILE ? root : join(root, PROFILES, name));

/** Every profile of a root, the default one first. */
export function listProfileNames(root: string): readonly string[] {
  try {
    const found = readdirSync(join(root, PROFILES), { withFileTypes: true });
    return [
      DEFAULT_PROFILE,
      ...found.flatMap((entry) => (entry.isDirectory() && isProfileName(entry.name) ? [entry.name] : [])).toSorted(),
    ];
  } catch {
    return [DEFAULT_PROFILE];
  }
}

/** The file that names the profile `hermes` uses when nobody says another. */
export const toActiveProfilePath = (root: string): string => join(root, 'active_profile');

/** The profile that was chosen for good; the default one where none was. It need not be there any more. */
export function readActiveProfile(root: string): string {
  try {
    return readFileSync(toActiveProfilePath(root), 'utf8').trim() || DEFAULT_PROFILE;
  } catch {
    return DEFAULT_PROFILE;
  }
}

const isProfile = (root: string, name: string): boolean =>
  name === DEFAULT_PROFILE ||
  (isProfileName(name) && statSync(toProfileHome(root, name), { throwIfNoEntry: false })?.isDirectory() === true);

/** A command line without the profile in front of it, and the home that it means; absent where the environment decides. */
export interface SelectedProfile {
  readonly argv: readonly string[];
  readonly home?: string;
}

/**
 * Which home a command line is for: the profile it names (`-p NAME`), else `HERMES_HOME`, else the profile that was chosen for
 * good, else the default one. Profiles lie below `HERMES_HOME` where that is set, else below `~/.hermes`.
 */
export function selectProfile(argv: readonly string[], env: Env): SelectedProfile {
  const { name, rest } = readProfileOption(argv);
  const given = env['HERMES_HOME'] ?? '';
  const root = given === '' ? join(homedir(), '.hermes') : resolveProfileRoot(given);
  if (name === undefined) {
    const active = given === '' ? readActiveProfile(root) : DEFAULT_PROFILE;
    if (!isProfile(root, active)) {
      // The commands by which another one is chosen.
      if (argv[0] === 'profile') return { argv };
      throw new UsageError(describeGoneProfile(active, root));
    }
    return { argv, ...(active !== DEFAULT_PROFILE && { home: toProfileHome(root, active) }) };
  }
  if (!isProfile(root, name)) throw new UsageError(describeUnknownProfile(name, root));
  return { argv: rest, home: toProfileHome(root, name) };
}

/** The default profile has another memory and other keys, so it is not used in its place. */
const describeGoneProfile = (name: string, root: string): string =>
  `the active profile ${JSON.stringify(name)}, chosen in ${toActiveProfilePath(root)}, does not exist. To choose another: hermes profile use default. For one command: hermes -p default`;

/** Only in front of the command: behind it, words are the command's own. */
function readProfileOption(argv: readonly string[]): { readonly name?: string; readonly rest: readonly string[] } {
  const [first = '', second] = argv;
  const [, attached] = /^--profile=(.*)$/s.exec(first) ?? [];
  if (attached !== undefined) return { name: attached, rest: argv.slice(1) };
  if (first !== '-p' && first !== '--profile') return { rest: argv };
  if (second === undefined)
    throw new UsageError(`${first} needs the name of a profile: hermes ${first} NAME. hermes profile list shows them.`);
  return { name: second, rest: argv.slice(2) };
}

export function describeUnknownProfile(name: string, root: string): string {
  if (!isProfileName(name)) return `${JSON.stringify(name)} cannot be the name of a profile: use a-z, 0-9, - and _, at most 64 of them.`;
  const guess = findNearest(name, listProfileNames(root));
  const near = guess === undefined ? '' : ` Did you mean ${guess}?`;
  return `there is no profile ${name}.${near} To create it: hermes profile create ${name}`;
}
