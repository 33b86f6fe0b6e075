import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The command that puts a package where this program looks for it, however it was installed itself: globally, in a project, or as a checkout. */
export const formatInstallCommand = (spec: string, from = import.meta.dirname): string =>
  `npm install ${targetOf(packageRoot(from))} ${spec}`;

function targetOf(root: string): string {
  const [folder, above] = [dirname(root), dirname(dirname(root))];
  if (basename(folder) !== 'node_modules') return `--prefix ${quoted(root)}`;
  if (existsSync(join(above, 'package.json'))) return `--prefix ${quoted(above)}`;
  return `--global --prefix ${quoted(basename(above) === 'lib' ? dirname(above) : above)}`;
}

function packageRoot(from: string): string {
  if (existsSync(join(from, 'package.json')) || dirname(from) === from) return from;
  return packageRoot(dirname(from));
}

const quoted = (path: string): string => (/^[\w@%+:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
