import { globSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Call } from '../command/call/call.ts';
import { hasMarks, MARK } from '../command/values/marks.ts';
import { tryLstat } from './scan.ts';

/** More than a hand-written command names; what a pattern meets beyond it is not kept. */
const MOST = 200;

/** Paths that calls name and that are there, or could be made by them; absolute. A call whose folder is not known is taken to run in `cwd`. */
export function findNamedPaths(calls: readonly Call[], cwd: string): string[] {
  const found = new Set<string>();
  for (const { args, writes, place } of calls) {
    const base = place.cwd ?? cwd;
    for (const word of [...writes, ...args.map(valueOf)]) for (const path of pathsMeant(word, base)) if (isNamed(path)) found.add(path);
    if (found.size >= MOST) break;
  }
  return [...found].slice(0, MOST);
}

/** `of=disk.img` and `--output=x` name what stands behind the sign. */
const valueOf = (word: string): string => /^(?:--?)?[\w-]+=(.+)$/s.exec(word)?.[1] ?? word;

function pathsMeant(word: string, base: string): string[] {
  if (word === '' || word.startsWith('-')) return [];
  if (!hasMarks(word)) return [resolve(base, word)];
  const pattern = word.replaceAll(MARK.star, '*').replaceAll(MARK.one, '?');
  if (hasMarks(pattern)) return [];
  try {
    return globSync(pattern, { cwd: base })
      .slice(0, MOST)
      .map((each) => resolve(base, each));
  } catch {
    return [];
  }
}

/** A name counts when something is there, or its folder is: `origin/main` and `-5` are none. */
const isNamed = (path: string): boolean => isThere(path) || isThere(dirname(path));
const isThere = (path: string): boolean => tryLstat(path) !== undefined;
