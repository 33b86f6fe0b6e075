/** Whether the bundle was made of the sources as they are now. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MADE_OF = [
  'src/**/*.{ts,json}',
  'src/**/launcher-*',
  'scripts/{build,builds}.ts',
  'scripts/declarations.json',
  'package.json',
  'package-lock.json',
];
const HASH = 'SOURCES';

/** Names and bytes of everything the bundle is made of. Times would not do: a checkout gives every file a new one. */
export function hashSources(): string {
  const hash = createHash('sha256');
  for (const file of globSync(MADE_OF).toSorted()) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

export const hashFile = (folder: string): string => join(folder, HASH);

/** Builds `dist` when it is not there or made of other sources; true when it did. */
export function refreshBundle(): boolean {
  if (readHash('dist') === hashSources()) return false;
  execFileSync(process.execPath, ['scripts/build.ts'], { stdio: 'inherit' });
  return true;
}

function readHash(folder: string): string | undefined {
  try {
    return readFileSync(hashFile(folder), 'utf8').trim();
  } catch {
    return undefined;
  }
}
