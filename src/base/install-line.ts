import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The command that puts a package where this program looks for it, however it was installed itself: globally, in a project, or as a checkout. */
export const formatInstallCommand = (spec: string, from = import.meta.dirname): string => {
  const root = findPackageRoot(from);
  return `npm install ${(findPackageTarget(root) ?? ['--prefix', root]).map(quoted).join(' ')} ${spec}`;
};

/** What tells npm where a package is installed that lies in this folder; nothing when npm did not put it there. */
export function findPackageTarget(root: string): readonly string[] | undefined {
  const [folder, above] = [dirname(root), dirname(dirname(root))];
  if (basename(folder) !== 'node_modules') return undefined;
  if (existsSync(join(above, 'package.json'))) return ['--prefix', above];
  return ['--global', '--prefix', basename(above) === 'lib' ? dirname(above) : above];
}

/** The folder of this program's package. */
export function findPackageRoot(from = import.meta.dirname): string {
  if (existsSync(join(from, 'package.json')) || dirname(from) === from) return from;
  return findPackageRoot(dirname(from));
}

const quoted = (path: string): string => (/^[\w@%+:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
