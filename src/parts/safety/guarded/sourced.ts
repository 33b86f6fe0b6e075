import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** What a start-up file of a shell runs or puts on the `PATH`, in the words of shells and of direnv. Adding one is a word here. */
const SOURCES =
  /(?:^|[;&|({]|\bthen\b|\bdo\b)[ \t]*(?:source|\.|source_env(?:_if_exists)?|dotenv(?:_if_exists)?)[ \t]+("[^"\n]+"|'[^'\n]+'|[^\s;&|]+)/gm;
const ADDS_PATH = /(?:^|[;&|])[ \t]*(?:PATH_add|path_add[ \t]+PATH)[ \t]+("[^"\n]+"|'[^'\n]+'|[^\s;&|]+)/gm;
const LAYOUTS: readonly (readonly [line: RegExp, folder: string])[] = [[/^[ \t]*layout[ \t]+node\b/m, 'node_modules/.bin']];
const MAX_NAMED = 50;

export interface SourcedPaths {
  readonly files: readonly string[];
  /** Folders of programs. */
  readonly folders: readonly string[];
}

export function listSourced(path: string, text: string): SourcedPaths {
  const folder = dirname(path);
  const named = (line: RegExp): readonly string[] =>
    [...text.matchAll(line)].slice(0, MAX_NAMED).flatMap(([, word = '']) => resolveWord(word, folder));
  return {
    files: named(SOURCES),
    folders: [...named(ADDS_PATH), ...LAYOUTS.flatMap(([line, name]) => (line.test(text) ? [join(folder, name)] : []))],
  };
}

/** Quotes are taken off; a variable or a command in front is nearly always the folder of the file itself. */
function resolveWord(word: string, folder: string): readonly string[] {
  const plain = word
    .replaceAll(/^["']|["']$/g, '')
    .replace(/^(?:\$\{?\w+\}?|\$\((?:[^()]|\([^()]*\))*\))\//, './')
    .replace(/^~(?=\/)/, homedir());
  return plain === '' || plain.includes('$') ? [] : [isAbsolute(plain) ? plain : resolve(folder, plain)];
}
