import type { CommandList, ShellCommand, SimpleCommand, Word, WordPart } from '../../../base/shell/ast.ts';
import { readShell } from '../../../base/shell/read.ts';
import { listCommandLists, type PartText, listSubstitutions, joinWordParts } from '../../../base/shell/tree.ts';
import { expand, type ExpandOptions } from './expand.ts';

/** A shell in a shell in a shell; deeper nobody writes by hand. */
const MAX_SHELLS = 3;

const MOVES = new Set(['cd', 'pushd']);
const SHELL = /^(?:.*\/)?(?:ba|z|da|k)?sh$/;
/** Options whose next word is a folder even when it does not look like a path. */
const FOLDER_OPTIONS = new Set(['-C', '--prefix', '--cwd', '--directory', '--dir', '--workdir', '--project']);

/** Commands whose bare words are files and folders: `ls frontend`, `grep -rn todo api`. A word that names none brings nothing. */
const FILE_COMMANDS: ReadonlySet<string> = new Set(
  [
    'ls ll la tree find fd du stat file cat bat head tail less more wc sort nl',
    'grep egrep fgrep rg ag ack sed awk diff cmp',
    'cp mv rm rmdir mkdir touch ln chmod chown tar zip rsync',
    'code vim nano pytest ruff mypy black eslint prettier biome tsc vitest jest',
  ].flatMap((names) => names.split(' ')),
);

/** The absolute paths a command line speaks of, the folders it changes to among them. */
export function collectShellPaths(command: string, start: ExpandOptions, shells = MAX_SHELLS): readonly string[] {
  const paths: string[] = [];
  walkList(readShell(command).list, start, { start, shells, paths });
  return paths;
}

interface PathWalk {
  /** Where the line began. */
  readonly start: ExpandOptions;
  /** Shells within it that are still looked into. */
  readonly shells: number;
  readonly paths: string[];
}

/** Gives where the shell stands afterwards. */
function walkList(list: CommandList, here: ExpandOptions, walk: PathWalk): ExpandOptions {
  return list.flatMap(({ commands }) => commands).reduce((at, command) => walkCommand(command, at, walk), here);
}

function walkCommand(command: ShellCommand, here: ExpandOptions, walk: PathWalk): ExpandOptions {
  if (command.type === 'simple') return walkSimple(command, here, walk);
  if ('redirections' in command) mention(redirected(command), here, walk);
  mention(ownWords(command), here, walk);
  const after = listCommandLists(command).reduce((at, list) => walkList(list, at, walk), here);
  return command.type === 'group' && command.apart ? here : after;
}

/** What stands behind `for … in`, `case` and in `[[ … ]]`. */
function ownWords(command: Exclude<ShellCommand, SimpleCommand>): readonly Word[] {
  if (command.type === 'choice') return [command.subject];
  if (command.type === 'arithmetic') return [command];
  return command.type === 'each' || command.type === 'test' ? (command.words ?? []) : [];
}
const redirected = ({ redirections }: Pick<SimpleCommand, 'redirections'>): readonly Word[] =>
  redirections.flatMap(({ target, here }) =>
    here === undefined ? [target] : [{ parts: here.text.filter(({ type }) => type !== 'text') }],
  );

function walkSimple(command: SimpleCommand, here: ExpandOptions, walk: PathWalk): ExpandOptions {
  mention([...command.assignments.flatMap(({ values }) => values), ...redirected(command)], here, walk);
  const words = command.words.map((word) => joinWordParts(word, readKnownParts(here)));
  const [verb = ''] = words;
  if (verb === 'popd') return walk.start;
  if (MOVES.has(verb)) return move(words.slice(1), here, walk);
  const script = scriptIn(words);
  if (script === undefined || walk.shells === 0) mention(command.words, here, walk);
  else walkLine(script, here, walk);
  // A shell takes all that follows for the text of a here-document without an end; whoever wrote it meant commands.
  for (const { here: document } of command.redirections)
    if (document?.closed === false) walkLine(joinWordParts({ parts: document.text }, readKnownParts(here)), here, walk);
  return here;
}

function walkLine(line: string | undefined, here: ExpandOptions, { shells, paths }: PathWalk): void {
  if (line !== undefined && shells > 0) paths.push(...collectShellPaths(line, here, shells - 1));
}

/** The command line that is handed to another shell, whatever runs that shell. */
function scriptIn(words: readonly (string | undefined)[]): string | undefined {
  const shell = words.findIndex((word) => word !== undefined && SHELL.test(word));
  const flag = shell === -1 ? -1 : words.findIndex((word, index) => index > shell && word !== undefined && /^-[a-z]*c$/.test(word));
  return flag === -1 ? undefined : words[flag + 1];
}

/** Where `cd` leads is known or it is not; then relative words say nothing until it is known again. */
function move(words: readonly (string | undefined)[], here: ExpandOptions, { paths }: PathWalk): ExpandOptions {
  const targets = words.filter((word) => word === undefined || word === '-' || !word.startsWith('-'));
  const target = targets.length === 0 ? here.home : targets[0];
  const cwd = target === undefined || target === '-' ? undefined : expand(target, here);
  if (cwd !== undefined) paths.push(cwd);
  return { home: here.home, ...(cwd !== undefined && { cwd }) };
}

/** Notes what words name, and what the commands in them do. */
function mention(words: readonly Word[], here: ExpandOptions, walk: PathWalk): void {
  const texts = words.map((word) => joinWordParts(word, readKnownParts(here)));
  const verb = texts.findIndex((text) => text !== undefined && FILE_COMMANDS.has(text));
  for (const [index, text] of texts.entries()) {
    const path =
      text === undefined ? undefined : pathIn(text, { before: texts[index - 1] ?? '', isOperand: verb !== -1 && index > verb, here });
    if (path !== undefined) walk.paths.push(path);
  }
  for (const list of words.flatMap(({ parts }) => listSubstitutions(parts))) walkList(list, here, walk);
}

/** The home folder and the working folder are known by their names; no other variable is. */
const readKnownParts = ({ home, cwd }: ExpandOptions): PartText =>
  function textOfPart(part: WordPart): string | undefined {
    if (part.type === 'tilde') return part.user === '' ? home : undefined;
    if (part.type !== 'parameter' || part.operator !== '' || part.index !== undefined || part.length || part.indirect) return undefined;
    return part.name === 'HOME' ? home : part.name === 'PWD' ? cwd : undefined;
  };

interface WordPlace {
  readonly before: string;
  /** It follows a command that works on files. */
  readonly isOperand: boolean;
  readonly here: ExpandOptions;
}

function pathIn(word: string, { before, isOperand, here }: WordPlace): string | undefined {
  const value = /^-{0,2}[\w.-]+=(?<value>[^]*)$/.exec(word)?.groups?.['value'] ?? word;
  const asked = FOLDER_OPTIONS.has(before) || FOLDER_OPTIONS.has(word.slice(0, -value.length - 1));
  const named = asked ? value : pathLike(value, isOperand);
  return named === undefined || named === '' ? undefined : expand(named, here);
}

/** Flags, addresses, package names, numbers and versions are no paths; nor is what has neither `/` nor `.` in it, except behind a command for files. */
function pathLike(word: string, isOperand: boolean): string | undefined {
  if (/^[-@]|^[a-z][a-z\d+.-]*:\/\//i.test(word)) return undefined;
  // `file.ts:12`, `test.py::name`, `./data:/data`
  const path = beforeGlob(word.replace(/(?<=.):[^]*$/, ''));
  return isOperand || (/[/.]/.test(path) && !/^[v^~<>=]*\d[\d.]*(?:-[\w.]+)?$/.test(path)) ? path : undefined;
}

/** The folder in which a glob begins to choose. */
function beforeGlob(word: string): string {
  const glob = word.search(/[*?[]|(?<!\$)\{/);
  return glob === -1 ? word : word.slice(0, word.lastIndexOf('/', glob) + 1) || './';
}
