import { dirname, resolve } from 'node:path';
import { isWithin } from '../../../../../base/within.ts';
import type { HostFacts, WallFailure } from './failure.ts';

const QUOTED = /[‘'"]((?:\/|~\/|\.{1,2}\/)[^’'"]*)[’'"]/g;
const BARE = /(?<![\w/.~-])((?:~?\/)[^\s’'"`:,;()|<>\\]+)/g;

/** The absolute paths in a text, each once. */
export function findPaths(text: string, home: string): readonly string[] {
  const named = [QUOTED, BARE].flatMap((pattern) => [...text.matchAll(pattern)].map(([, path = '']) => path));
  return [...new Set(named.flatMap((path) => toAbsolute(path, home) ?? []))];
}

function toAbsolute(path: string, home: string): string | undefined {
  const whole = path.startsWith('~/') ? `${home}${path.slice(1)}` : path;
  return whole.startsWith('/') && !whole.startsWith('//') ? resolve(whole) : undefined;
}

/** Whether it lies where commands may write anyway. */
export const isInside = (path: string, { writable }: Pick<WallFailure, 'writable'>): boolean =>
  writable.some((folder) => isWithin(folder, path));

/** The folder to be written to: the path itself, or the nearest above it that is one. */
export const findFolder = (path: string, host: Pick<HostFacts, 'isFolder'>): string =>
  host.isFolder(path) || dirname(path) === path ? path : findFolder(dirname(path), host);
