/**
 * Takes out of package-lock.json what npm would ask of the Node that runs npm: node scripts/lock.ts
 * Run it after `npm install` has changed the lock file.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface Lock {
  readonly packages: Readonly<Record<string, Record<string, unknown>>>;
}

const FILE = 'package-lock.json';

/**
 * - `engines`: npm warns, in 50 lines on Node 20, about packages that only ever run on the Node that comes with them.
 * - `hasInstallScript`: none of these scripts does anything we need, and they would run on a Node that may not start yet
 *   (`bin/repair-node`, which `prepare` calls when all packages are there).
 */
const DEMANDS = ['engines', 'hasInstallScript'];

export function withoutDemands(text: string): string {
  const lock = JSON.parse(text) as Lock;
  const packages = Object.entries(lock.packages).map(([path, row]) => [path, path === '' ? row : omitDemands(row)]);
  return `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, undefined, 2)}\n`;
}

const omitDemands = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([key]) => !DEMANDS.includes(key)));

if (import.meta.main) writeFileSync(FILE, withoutDemands(readFileSync(FILE, 'utf8')));
