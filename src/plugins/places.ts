import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { lazy } from '../base/lazy.ts';
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

/** The plugins that come with Hermes: seen from the bundle or its chunks, from the library's chunks, or from the sources. */
const findBundled = lazy((): string | undefined =>
  ['..', join('..', '..'), join('..', '..', '..')]
    .map((up) => join(import.meta.dirname, up, 'plugins'))
    .find((path) => existsSync(join(path, 'README.md'))),
);

/** Where plugins are looked for; those of a project only where the owner named it. */
export function findPluginPlaces({ home, cwd, trusted }: PlacesOptions): PluginPlaces {
  const here = resolve(cwd);
  const [project] = trusted
    .map((path) => resolve(path.replace(/^~(?=\/|$)/, homedir())))
    .filter((path) => isWithin(path, here))
    .toSorted((a, b) => b.length - a.length);
  const bundled = findBundled();
  return { home, ...(bundled !== undefined && { bundled }), ...(project !== undefined && { project }) };
}
