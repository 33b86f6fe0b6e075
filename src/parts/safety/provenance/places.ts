import { basename, dirname, join, sep } from 'node:path';
import { resolveFromNearestParent } from '../../../base/real-path.ts';
import { findGuardedRow, listGuardedKinds } from '../guarded/table.ts';

/** A place by its folder or file name. `~` is the user's home, `@` the profile's. */
export interface PlaceRule {
  readonly what: string;
  /** The guard puts back what a command changes there, and asks about it. */
  readonly isGuarded?: true;
  matches(path: string, roots: ProvenanceRoots): boolean;
}
export interface ProvenanceRoots {
  readonly user: string;
  readonly profile: string;
}

const below = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep);
const within = (...names: readonly string[]) => {
  const wanted = new Set(names);
  return (path: string): boolean =>
    dirname(path)
      .split(sep)
      .some((name) => wanted.has(name));
};
const named = (...names: readonly string[]) => {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  return (path: string): boolean => wanted.has(basename(path).toLowerCase());
};

/** Files somebody else wrote: what they say may inform, never instruct. */
export const OUTSIDE: readonly PlaceRule[] = [
  { what: 'a download', matches: (path, { user }) => below(path, join(user, 'Downloads')) },
  { what: 'a received file', matches: (path, { profile }) => RECEIVED.some((folder) => below(path, join(profile, folder))) },
  { what: 'a kept result from outside', matches: (path) => path.endsWith('.foreign.txt') },
  { what: 'a package of somebody else', matches: within('node_modules', 'site-packages', 'dist-packages', 'vendor', 'bower_components') },
  {
    what: 'a package cache',
    matches: (path, { user }) =>
      ['.cargo/registry', 'go/pkg/mod', '.m2', '.npm', '.cache/pip'].some((folder) => below(path, join(user, folder))),
  },
  { what: 'a log of the system', matches: (path) => below(path, '/var/log') },
  { what: 'a mail', matches: (path) => /\.(?:eml|mbox|msg)$/i.test(path) || within('Maildir')(path) },
];
/** Where faces and tools put what they were sent. */
const RECEIVED = ['cache/documents', 'cache/images', 'cache/audio', 'cache/web', 'document_cache', 'image_cache', 'audio_cache'];

/** What a later session reads as instruction, or what acts by itself later. */
export const LASTING: readonly PlaceRule[] = [
  { what: 'memory', matches: (path, { profile }) => below(path, join(profile, 'memories')) },
  { what: 'skills', matches: (path, { profile }) => below(path, join(profile, 'skills')) || named('SKILL.md')(path) },
  {
    what: 'schedules',
    matches: (path, { profile }) =>
      ['cron', 'scripts'].some((folder) => below(path, join(profile, folder))) || /^\/(?:etc\/cron|var\/spool\/cron)/.test(path),
  },
  ...listGuardedKinds().map((what) => ({
    what: `a ${what}`,
    isGuarded: true as const,
    // The profile's folder has a guarded name itself, and all sorts of things in it.
    matches: (path: string, { profile }: ProvenanceRoots) =>
      findGuardedRow(below(path, profile) ? path.slice(profile.length) : path)?.what === what,
  })),
  {
    what: "the agent's own settings",
    matches: (path, { profile }) => dirname(path) === profile || ['hooks', 'plugins'].some((folder) => below(path, join(profile, folder))),
  },
  {
    what: 'a start-up file',
    matches: (path) =>
      named('.bashrc', '.bash_profile', '.profile', '.zshrc', '.zprofile', '.zshenv', '.bash_login', 'authorized_keys')(path) ||
      /\/(?:autostart|LaunchAgents|LaunchDaemons|systemd\/(?:user|system))\//.test(path),
  },
];

/** The first place a path lies in, by its name or by what it leads to. */
export function findPlaceRule(path: string, places: readonly PlaceRule[], roots: ProvenanceRoots): PlaceRule | undefined {
  const paths = listPathNames(path);
  return places.find((place) => paths.some((name) => place.matches(name, roots)));
}

/** A path as it is written, and what it leads to. */
export const listPathNames = (path: string): readonly string[] => [...new Set([path, resolveFromNearestParent(path)])];
