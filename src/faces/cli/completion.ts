import { toOneLine } from '../../base/printable.ts';
import { quoteShellWord } from '../../base/shell.ts';
import { splitTypedLine } from '../../base/shell-words.ts';
import type { ShellCompletion, ShellWord } from '../../commands/complete-shell.ts';
import type { CompletionKind } from '../../contracts/command.ts';
import type { CompletionShell } from '../../commands/completion.ts';

/** Values that have to be looked up, by their kind. Files are the shell's own. */
export type ShellLists = Readonly<
  Record<Exclude<CompletionKind, 'file' | 'folder'>, (typed: string, before: readonly string[]) => Promise<readonly ShellWord[]>>
>;

export interface CompletionDeps {
  /** What may follow, by the words behind the program. */
  complete(before: readonly string[], typed: string): Promise<ShellCompletion>;
  readonly lists: ShellLists;
}

/** Most words that are offered at a time. */
const MAX_WORDS = 100;

/**
 * What a completion script asks: `line` is the command line up to the cursor, `word` what the shell takes for its last word. A
 * line for each candidate, with its summary behind a tab; `:file` or `:folder` where the shell knows better.
 */
export async function listCompletions(
  shell: CompletionShell,
  [line = '', word = '']: readonly string[],
  deps: CompletionDeps,
): Promise<string> {
  const { words, typed } = splitTypedLine(line);
  const before = words.slice(words.findIndex((each) => !/^\w+=/.test(each)) + 1);
  const found = before.at(-1) === '-p' || before.at(-1) === '--profile' ? profileWanted(before, typed) : await deps.complete(before, typed);
  if (found.kind === 'file' || found.kind === 'folder') return `:${found.kind}\n`;
  const listed = found.kind === undefined ? [] : await deps.lists[found.kind](found.typed, before);
  const values = listed.filter((one) => one.word.startsWith(found.typed)).map((one) => ({ ...one, word: `${found.prefix}${one.word}` }));
  const offered = [...found.words, ...values].slice(0, MAX_WORDS);
  return offered
    .map((one) => (shell === 'bash' ? `${forBash(one.word, typed, word)}\n` : `${toOneLine(one.word)}\t${toOneLine(one.summary)}\n`))
    .join('');
}

/** In front of every command stands at most the profile: who asks for it needs no command. */
const profileWanted = (before: readonly string[], typed: string): ShellCompletion =>
  before.length === 1 ? { words: [], kind: 'profile', prefix: '', typed } : { words: [], prefix: '', typed };

/** Bash puts in what it is given, and replaces only what it takes for the last word: for it `:` and `=` end a word. */
function forBash(word: string, typed: string, last: string): string {
  const own = /^[:=]?$/.test(last) ? '' : last.replace(/^["']/, '').replaceAll('\\', '');
  const shown = toOneLine(word.slice(Math.max(0, typed.length - own.length)));
  return /^["']/.test(last) || /^[\w@%+=:,./-]*$/.test(shown) ? shown : quoteShellWord(shown);
}
