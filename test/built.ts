import { cpSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findCurrentBuild } from '../scripts/builds.ts';
import { refreshBundle } from '../scripts/suite/bundle.ts';

/** A copy of what is built of the sources as they are now, as the package has it: without Node, other packages and other builds. */
export function copyBuilt(into: string): void {
  refreshBundle();
  const build = join('dist', findCurrentBuild('dist') ?? '');
  const left = [join('dist', '.in-use'), join('dist', 'bin'), join('dist', 'proofs'), join(build, 'node_modules')];
  const isOther = (path: string): boolean => dirname(path) === 'dist' && basename(path).startsWith('build-') && path !== build;
  cpSync('dist', into, { recursive: true, filter: (path) => !left.includes(path) && !isOther(path) });
}
