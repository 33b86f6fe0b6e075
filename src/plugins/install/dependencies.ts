import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../base/env.ts';
import { UsageError } from '../../base/errors.ts';
import { isObject, parseJson } from '../../base/json.ts';
import { readPluginText, type PluginFile } from './plugin-files.ts';
import { runNpm } from './run-npm.ts';

/** npm reads the first of these that is there; only it is part of a published package. */
const LOCKS = ['npm-shrinkwrap.json', 'package-lock.json'] as const;

/** Which file pins the dependencies, and its hash; absent for a plugin that has none. */
export interface DependencyLock {
  readonly file: string;
  readonly sha256: string;
}

/** Looks at what npm would be told. Dependencies without a lock, or with one that leads elsewhere than to packages, are refused. */
export function findDependencyLock(files: readonly PluginFile[]): DependencyLock | undefined {
  const facts = parseJson(readPluginText(files, 'package.json') ?? '');
  const named = isObject(facts)
    ? ['dependencies', 'optionalDependencies'].flatMap((key) => (isObject(facts[key]) ? Object.keys(facts[key]) : []))
    : [];
  if (named.length === 0) return undefined;
  // Its lines would say which programs npm starts.
  if (files.some(({ path }) => path === '.npmrc'))
    throw new UsageError('it has dependencies and an .npmrc, which would tell npm what to run. Remove the .npmrc from the plugin.');
  const file = LOCKS.find((each) => files.some(({ path }) => path === each));
  const text = file === undefined ? undefined : readPluginText(files, file);
  if (file === undefined || text === undefined)
    throw new UsageError(
      `it depends on ${named.join(', ')}, but has no package-lock.json that says which versions. In its folder, type: npm install --package-lock-only --ignore-scripts (and for a package that is published: npm shrinkwrap)`,
    );
  checkLock(file, text);
  return { file, sha256: hashText(text) };
}

function checkLock(file: string, text: string): void {
  const lock = parseJson(text);
  const packages = isObject(lock) ? lock['packages'] : undefined;
  if (!isObject(packages))
    throw new UsageError(`its ${file} is of an old kind. In its folder, type: npm install --package-lock-only --ignore-scripts`);
  for (const [path, entry] of Object.entries(packages)) {
    if (path === '' || !isObject(entry)) continue;
    const { resolved, integrity } = entry;
    // What npm finds out about an entry counts, not what the entry says of itself.
    if (entry['inBundle'] === true && resolved === undefined) continue;
    const isPinned =
      typeof resolved === 'string' && /^https?:\/\//.test(resolved) && typeof integrity === 'string' && entry['link'] !== true;
    if (!isPinned || !path.startsWith('node_modules/') || path.split('/').includes('..'))
      throw new UsageError(
        `its ${file} names ${path}, which is not a package of a registry with a hash. Depend only on published packages, then type: npm install --package-lock-only --ignore-scripts`,
      );
  }
}

/**
 * What npm is told, also by a person who does it by hand. No program of a package is linked, and no script runs. Packages come from
 * the owner's registry, whichever host the lock names: otherwise installing alone would reach any port of the machine.
 */
const DEPENDENCY_WORDS = ['ci', '--omit=dev', '--no-bin-links', '--replace-registry-host=always'];
export const DEPENDENCY_LINE = ['npm', ...DEPENDENCY_WORDS, '--ignore-scripts'].join(' ');
export const installDependencies = async (folder: string, env: Env): Promise<void> => void (await runNpm(DEPENDENCY_WORDS, folder, env));

/** Whether what lies in `node_modules` is what the lock of an installed plugin says; gives what is wrong. */
export function findLockProblem(folder: string, installed: string | undefined): string | undefined {
  const facts = parseJson(readIfThere(join(folder, 'package.json')));
  const named = isObject(facts) && isObject(facts['dependencies']) ? Object.keys(facts['dependencies']) : [];
  if (named.length === 0) return undefined;
  const file = LOCKS.find((each) => existsSync(join(folder, each)));
  if (file === undefined) return `it depends on ${named.join(', ')}, but has no package-lock.json`;
  if (installed !== undefined && hashText(readIfThere(join(folder, file))) !== installed)
    return `its ${file} is not the one its dependencies were installed from`;
  const missing = named.filter((name) => !existsSync(join(folder, 'node_modules', name)));
  return missing.length === 0 ? undefined : `its dependencies are not there: ${missing.join(', ')}`;
}

const hashText = (text: string): string => createHash('sha256').update(text).digest('hex');
const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
