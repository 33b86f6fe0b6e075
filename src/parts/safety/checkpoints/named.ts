import { globSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { look } from './scan.ts';
import { simpleCommands } from './words.ts';

/** More than a hand-written command names; what a pattern meets beyond it is not kept. */
const MOST = 200;

/**
 * Paths a command names that are there, or could be made by it. `cd` in the command is followed as far as its words go, so
 * a name may stand for several places; the places are absolute.
 */
export function namedPaths(command: string, cwd: string, home: string): string[] {
  const commands = simpleCommands(command);
  const bases = [cwd];
  const found = new Set<string>();
  for (const { words, overwrites, appends } of commands) {
    if (words[0] === 'cd' && words[1] !== undefined) bases.push(resolve(bases.at(-1) ?? cwd, fromHome(words[1], home)));
    for (const target of [...overwrites, ...appends]) for (const base of bases) add(found, resolve(base, fromHome(target, home)));
    for (const word of words.slice(1).map(valueOf)) for (const base of bases) for (const path of meant(word, base, home)) add(found, path);
  }
  return [...found].slice(0, MOST);
}

/** `of=disk.img` and `--output=x` name what stands behind the sign. */
const valueOf = (word: string): string => /^(?:--?)?[\w-]+=(.+)$/s.exec(word)?.[1] ?? word;
export const fromHome = (word: string, home: string): string =>
  word === '~' || word.startsWith('~/') ? join(home, word.slice(1)) : word.replace(/^\$\{?HOME\}?(?=\/|$)/, home);

function meant(word: string, base: string, home: string): string[] {
  if (word === '' || word.startsWith('-')) return [];
  const path = fromHome(word, home);
  if (!/[*?[]/.test(path)) return [resolve(base, path)];
  try {
    return globSync(path, { cwd: base })
      .slice(0, MOST)
      .map((each) => resolve(base, each));
  } catch {
    return [];
  }
}

/** A name counts when something is there, or its folder is and it was written as a path: `origin/main` and `-5` are none. */
function add(found: Set<string>, path: string): void {
  if (isThere(path) || (isAbsolute(path) && isThere(dirname(path)))) found.add(path);
}
const isThere = (path: string): boolean => look(path) !== undefined;
