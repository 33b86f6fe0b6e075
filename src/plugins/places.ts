import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { isWithin } from '../base/within.ts';
import type { PluginPlaces } from './discover.ts';

export interface PlacesOptions {
  /** The profile's folder. */
  readonly home: string;
  /** The folder sessions work in. */
  readonly cwd: string;
  /** `plugins.trusted_projects`. */
  readonly trusted: readonly string[];
}

/** Where plugins are looked for; those of a project only where the owner named it. */
export function findPluginPlaces({ home, cwd, trusted }: PlacesOptions): PluginPlaces {
  const here = resolve(cwd);
  const [project] = trusted
    .map((path) => resolve(path.replace(/^~(?=\/|$)/, homedir())))
    .filter((path) => isWithin(path, here))
    .toSorted((a, b) => b.length - a.length);
  return { home, ...(project !== undefined && { project }) };
}
