import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { findPackageRoot } from '../base/install-line.ts';
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

/** The plugins that come with Hermes. */
const findBundled = lazy((): string | undefined => {
  const path = join(findPackageRoot(), 'plugins');
  return existsSync(join(path, 'README.md')) ? path : undefined;
});

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
