import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/** Programs that run or read the file in their first argument, in the words of shells and of direnv. Adding one is a word here. */
const READS_FILE =
  /^(?:source|\.|source_env(?:_if_exists)?|dotenv(?:_if_exists)?|(?:ba|z|da|k|fi)?sh|python[\d.]*|node|bun|deno|tsx|ts-node|ruby|perl|php|lua)$/;
/** Where another command begins, in a shell and in settings that name a program. */
const BETWEEN = /[;&|(){}`!]|\$\(|\b(?:then|do|else|exec|eval|time|command)\b|^[ \t]*(?:-[ \t]+)?(?:entry|run|cmd|yarnPath):/;
const WORDS = /"[^"]*"|'[^']*'|[^\s"']+/g;
/** They stand before the program: assignments, and what only starts another one. */
const BEFORE = /^(?:\w+=|env$|nohup$|sudo$|-)/;
/** A variable or a command in front of a path is nearly always the folder of the file itself, or the top of the project. */
const FOLDER_IN_FRONT = /(?:\$\{?\w+\}?|\$\((?:[^()]|\([^()]*\))*\))(?=\/)/g;
const ADDS_PATH = /(?:^|[;&|])[ \t]*(?:PATH_add|path_add[ \t]+PATH)[ \t]+("[^"\n]+"|'[^'\n]+'|[^\s;&|]+)/gm;
const LAYOUTS: readonly (readonly [line: RegExp, folder: string])[] = [[/^[ \t]*layout[ \t]+node\b/m, 'node_modules/.bin']];
const [MAX_NAMED, MAX_TEXT] = [50, 65_536];

export interface SourcedPaths {
  readonly files: readonly string[];
  /** Folders of programs. */
  readonly folders: readonly string[];
}

/** What a file that runs by itself runs or reads in turn. Its commands begin in its own folder, or in one of the others. */
export function listSourced(path: string, text: string, others: readonly string[] = []): SourcedPaths {
  const folder = dirname(path);
  const plain = text.slice(0, MAX_TEXT).replaceAll(FOLDER_IN_FRONT, '.');
  return {
    files: listRun(plain)
      .slice(0, MAX_NAMED)
      .flatMap((word) => [...new Set([folder, ...others])].flatMap((each) => resolveWord(word, each))),
    folders: [
      ...[...plain.matchAll(ADDS_PATH)].slice(0, MAX_NAMED).flatMap(([, word = '']) => resolveWord(word, folder)),
      ...LAYOUTS.flatMap(([line, name]) => (line.test(plain) ? [join(folder, name)] : [])),
    ],
  };
}

/** The files among the words of all commands: programs by their path, and what an interpreter is given. */
const listRun = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split(BETWEEN))
    .flatMap((command): readonly string[] => {
      const words = command.match(WORDS) ?? [];
      const at = words.findIndex((word) => !BEFORE.test(word));
      const program = unquote(words[at] ?? '');
      if (!READS_FILE.test(basename(program))) return program.includes('/') ? [program] : [];
      const file = unquote(words.slice(at + 1).find((word) => !word.startsWith('-')) ?? '');
      // A whole line, as after `sh -c`.
      return /\s/.test(file) ? listRun(file) : [file];
    });

const unquote = (word: string): string => word.replaceAll(/^["']|["']$/g, '');
function resolveWord(word: string, folder: string): readonly string[] {
  const plain = unquote(word).replace(/^~(?=\/)/, homedir());
  return plain === '' || plain.includes('$') ? [] : [isAbsolute(plain) ? plain : resolve(folder, plain)];
}
