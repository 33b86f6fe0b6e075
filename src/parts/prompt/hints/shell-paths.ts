import { expand, type Here } from './expand.ts';
import { shellPieces, type Piece } from './shell-pieces.ts';

/** Longer command lines carry data, not more places. */
const MOST_CHARACTERS = 20_000;
/** A shell in a shell in a shell; deeper nobody writes by hand. */
const MOST_SHELLS = 3;

const MOVES = new Set(['cd', 'pushd']);
const SHELL = /^(?:.*\/)?(?:ba|z|da|k)?sh$/;
/** Options whose next word is a folder even when it does not look like a path. */
const FOLDER_OPTIONS = new Set(['-C', '--prefix', '--cwd', '--directory', '--dir', '--workdir', '--project']);

/** The absolute paths a command line speaks of, the folders it changes to among them. */
export function shellPaths(command: string, start: Here, shells = MOST_SHELLS): readonly string[] {
  const paths: string[] = [];
  let here = start;
  const outer: Here[] = [];
  for (const { mark, words } of steps(shellPieces(command.slice(0, MOST_CHARACTERS)))) {
    if (mark === '(') outer.push(here);
    if (mark === ')') here = outer.pop() ?? here;
    const walked = walk(words, here, start, shells);
    paths.push(...walked.paths);
    here = walked.here;
  }
  return paths;
}

/** A simple command and the mark before it. A redirection begins one too: its target is a word like any other. */
interface Step {
  readonly mark: string;
  readonly words: string[];
}

function steps(pieces: readonly Piece[]): readonly Step[] {
  const found: Step[] = [{ mark: '', words: [] }];
  for (const piece of pieces) {
    if ('mark' in piece) found.push({ mark: piece.mark, words: [] });
    else found.at(-1)?.words.push(piece.word);
  }
  return found;
}

interface Walked {
  readonly paths: readonly string[];
  readonly here: Here;
}

function walk(words: readonly string[], here: Here, start: Here, shells: number): Walked {
  const first = words.findIndex((word) => !ASSIGNMENT.test(word));
  const verb = words[first] ?? '';
  if (verb === 'popd') return { paths: [], here: start };
  if (MOVES.has(verb)) return move(words.slice(first + 1), here);
  const inner = script(words);
  if (inner !== undefined && shells > 0) return { paths: shellPaths(inner, here, shells - 1), here };
  return { paths: words.flatMap((word, index) => mentioned(word, words[index - 1] ?? '', here)), here };
}
const ASSIGNMENT = /^\w+=/;

/** The command line that is handed to another shell, whatever runs that shell. */
function script(words: readonly string[]): string | undefined {
  const shell = words.findIndex((word) => SHELL.test(word));
  const flag = shell === -1 ? -1 : words.findIndex((word, index) => index > shell && /^-[a-z]*c$/.test(word));
  return flag === -1 ? undefined : words[flag + 1];
}

/** Where `cd` leads is known or it is not; then relative words say nothing until it is known again. */
function move(words: readonly string[], here: Here): Walked {
  const target = words.find((word) => word === '-' || !word.startsWith('-')) ?? '~';
  const cwd = target === '-' ? undefined : expand(target, here);
  return { paths: cwd === undefined ? [] : [cwd], here: { home: here.home, ...(cwd !== undefined && { cwd }) } };
}

function mentioned(word: string, before: string, here: Here): readonly string[] {
  const value = /^-{0,2}[\w.-]+=(?<value>[^]*)$/.exec(word)?.groups?.['value'] ?? word;
  const asked = FOLDER_OPTIONS.has(before) || FOLDER_OPTIONS.has(word.slice(0, -value.length - 1));
  const named = asked ? value : pathLike(value);
  const path = named === undefined || named === '' ? undefined : expand(named, here);
  return path === undefined ? [] : [path];
}

/** Flags, addresses, package names, numbers and versions are no paths; nor is what has neither `/` nor `.` in it. */
function pathLike(word: string): string | undefined {
  if (/^[-@]|^[a-z][a-z\d+.-]*:\/\//i.test(word)) return undefined;
  // `file.ts:12`, `test.py::name`, `./data:/data`
  const path = beforeGlob(word.replace(/(?<=.):[^]*$/, ''));
  return /[/.]/.test(path) && !/^[v^~<>=]*\d[\d.]*(?:-[\w.]+)?$/.test(path) ? path : undefined;
}

/** The folder in which a glob begins to choose. */
function beforeGlob(word: string): string {
  const glob = word.search(/[*?[]|(?<!\$)\{/);
  return glob === -1 ? word : word.slice(0, word.lastIndexOf('/', glob) + 1) || './';
}
