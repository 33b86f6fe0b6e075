import { dirname, resolve } from 'node:path';
import { isWithin } from '../../../../../base/within.ts';
import { parseLineParts } from '../../command-line/shell-line.ts';
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

/** Who speaks, where a file and an error follow: no path that was written. */
const SPEAKER = /^[^\s:'"‘]+: (?:line )?(?:\d+: )?(?=.*\S: )/;
const QUOTED_NAME = /(?<!\w)[‘'"`]([^’'"`]+)[’'"`]/g;
const BARE_NAME = /(?<![\w/.~'"‘`-])((?:\.{1,2}|[\w.-]+)\/[^\s’'"`:,;()|<>\\]*)/g;
const BEFORE_ERROR = /(?:^|: )([^\s:'"]+): (?:cannot open: )?read-only file system$/gi;

/** The files that a line of output speaks of, as absolute paths; those it names from the folder it stood in among them. */
export function findNamedFiles(line: string, failure: Pick<WallFailure, 'command' | 'cwd' | 'home' | 'writable'>): readonly string[] {
  const namesIn = (text: string): readonly string[] => {
    const named = [QUOTED_NAME, BARE_NAME].flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name));
    const before = [...text.matchAll(BEFORE_ERROR)].map(([, name = '']) => name);
    const relative = (named.length > 0 ? named : before).filter((name) => !/^~?\/|:\/\//.test(name));
    return [...new Set([...findPaths(text, failure.home), ...relative.map((name) => resolveFrom(name, failure))])];
  };
  const said = namesIn(line.replace(SPEAKER, ''));
  return said.length > 0 ? said : namesIn(line);
}

/** From the folder that the line went to last, unless only an earlier one leads out of where commands may write. */
function resolveFrom(name: string, { command, cwd, home, writable }: Pick<WallFailure, 'command' | 'cwd' | 'home' | 'writable'>): string {
  const folders = parseLineParts(command)
    .flatMap(({ pipeline }) => pipeline.map(({ words }) => words))
    .flatMap(([program, folder]) => (program === 'cd' && folder !== undefined && !/[$`]|^-/.test(folder) ? [folder] : []))
    .reduce((been, folder) => [resolve(been[0] ?? cwd, folder.replace(/^~(?=\/|$)/, home)), ...been], [cwd]);
  const paths = folders.map((folder) => resolve(folder, name));
  return paths.find((path) => !isInside(path, { writable })) ?? paths[0] ?? name;
}

/** Whether it lies where commands may write anyway. */
export const isInside = (path: string, { writable }: Pick<WallFailure, 'writable'>): boolean =>
  writable.some((folder) => isWithin(folder, path));

/** The folder to be written to: the path itself, or the nearest above it that is one. */
export const findFolder = (path: string, host: Pick<HostFacts, 'isFolder'>): string =>
  host.isFolder(path) || dirname(path) === path ? path : findFolder(dirname(path), host);
