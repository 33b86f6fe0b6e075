import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** A path as it stands in a line, in quotes or not. */
const WORD = String.raw`("[^"\n]+"|'[^'\n]+'|[^\s;&|)"'\`]+)`;
/** Where a command of a shell begins: in a line, in a substitution, or as the value of a hook in YAML and TOML. */
const START = String.raw`(?:^|[;&|({\`]|\b(?:then|do|else)\b|\b(?:entry|run|enter|leave|cd)"?[ \t]*[:=][ \t]*["']?)[ \t]*(?:\w+=\S*[ \t]+)*`;
/** What a start-up file or a hook runs or puts on the `PATH`, in the words of shells, direnv and mise. Adding one is a word here. */
const RUNNERS =
  'source|\\.|source_env(?:_if_exists)?|dotenv(?:_if_exists)?|exec|command|env|(?:ba|da|z|k|fi)?sh|python[\\d.]*|node|ruby|perl';
const SOURCES: readonly RegExp[] = [
  new RegExp(`${START}(?:(?:${RUNNERS})[ \\t]+)+${WORD}`, 'gm'),
  new RegExp(String.raw`\b(?:eval|export)[ \t]+["']?(?:\$\(|\`)[ \t]*cat[ \t]+${WORD}`, 'gm'),
  // A program by its path.
  new RegExp(String.raw`${START}["']?((?:[$\w.~-]|\$\{\w+\})[^\s;&|)"'\`=(]*\/[^\s;&|)"'\`=(]+)`, 'gm'),
];
const ADDS_PATH = new RegExp(String.raw`(?:^|[;&|])[ \t]*(?:PATH_add|path_add[ \t]+PATH|load_prefix)[ \t]+${WORD}`, 'gm');
const SETS_PATH = new RegExp(String.raw`(?:^|[;&|\s])PATH=${WORD}`, 'gm');
/** `_.source = ["./env.sh"]` of mise, and its older names. */
const MISE = /^[ \t]*(?:_\.|env_)(source|file|path)[ \t]*=[ \t]*((?:\[[^\]]*\]|[^\n])+)/gm;
const QUOTED = /"([^"\n]+)"|'([^'\n]+)'/g;
/** Words of direnv, with the files they run and the folders of programs they bring; a star is any folder. */
const LAYOUTS: readonly (readonly [line: RegExp, files: readonly string[], folders: readonly string[]])[] = [
  [/^[ \t]*layout[ \t]+node\b/m, [], ['node_modules/.bin']],
  [/^[ \t]*layout[ \t]+python/m, [], ['.direnv/*/bin']],
  [/^[ \t]*layout[ \t]+(?:ruby|perl)\b/m, [], ['.direnv/*/bin']],
  [/^[ \t]*layout[ \t]+php\b/m, [], ['vendor/bin']],
  [/^[ \t]*layout[ \t]+go\b/m, [], ['bin']],
  [/^[ \t]*use[ \t]+flake\b/m, ['flake.nix', 'flake.lock'], []],
  [/^[ \t]*use[ \t]+nix\b/m, ['shell.nix', 'default.nix'], []],
  [/\bdevbox\b/, ['devbox.json'], []],
  [/\bdevenv\b/, ['devenv.nix', 'devenv.yaml'], []],
];
const MAX_NAMED = 50;

export interface SourcedPaths {
  readonly files: readonly string[];
  /** Folders of programs. */
  readonly folders: readonly string[];
}

/** `top` is where a hook of the project is run; other files name paths from where they lie. */
export function listSourced(path: string, text: string, top = dirname(path)): SourcedPaths {
  const at = [...new Set([dirname(path), top])];
  const named = (words: readonly string[]): readonly string[] => words.slice(0, MAX_NAMED).flatMap((word) => resolveWord(word, at));
  const firstOf = (line: RegExp): readonly string[] => [...text.matchAll(line)].map(([, word = '']) => word);
  const mise = [...text.matchAll(MISE)].flatMap(([, kind, value = '']) =>
    [...value.matchAll(QUOTED)].map(([, double, single]) => ({ isFolder: kind === 'path', word: double ?? single ?? '' })),
  );
  const layouts = LAYOUTS.filter(([line]) => line.test(text));
  const below = (names: readonly string[]): readonly string[] => names.map((name) => join(dirname(path), name));
  const paths = firstOf(SETS_PATH).flatMap((word) => word.replaceAll(/["']/g, '').split(':'));
  return {
    files: [
      ...SOURCES.flatMap((line) => named(firstOf(line))),
      ...named(mise.flatMap(({ isFolder, word }) => (isFolder ? [] : [word]))),
      ...below(layouts.flatMap(([, files]) => files)),
    ],
    folders: [
      ...named([
        ...firstOf(ADDS_PATH),
        ...mise.flatMap(({ isFolder, word }) => (isFolder ? [word] : [])),
        ...paths.filter((each) => each.includes('/')),
      ]),
      ...named(firstOf(ADDS_PATH)).map((folder) => join(folder, 'bin')),
      ...below(layouts.flatMap(([, , folders]) => folders)),
    ],
  };
}

/** Quotes are taken off; a variable or a command in front is nearly always the folder of the file itself. */
function resolveWord(word: string, folders: readonly string[]): readonly string[] {
  const plain = word
    .replaceAll(/^["']|["']$/g, '')
    .replace(/^(?:\$\{?\w+\}?|\$\((?:[^()]|\([^()]*\))*\))\//, './')
    .replace(/^~(?=\/)/, homedir());
  if (plain === '' || plain.includes('$')) return [];
  return isAbsolute(plain) ? [plain] : folders.map((folder) => resolve(folder, plain));
}
