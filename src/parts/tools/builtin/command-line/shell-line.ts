import type { CommandList, ShellCommand, Word, WordPart } from '../../../../base/shell/ast.ts';
import { readShell } from '../../../../base/shell/read.ts';
import { listCommandLists, joinWordParts } from '../../../../base/shell/tree.ts';

/** A pipeline of a line. */
export interface LinePart {
  /** Its commands from pipe to pipe; a loop, a branch or a bracket among them has no words. */
  readonly pipeline: readonly PlainCommand[];
  /** Sent to the background by the shell itself, or in something that is. */
  readonly background: boolean;
}
export interface PlainCommand {
  /** Without quotes, redirections and the variables set before it. */
  readonly words: readonly string[];
  /** As it is written. */
  readonly source: string;
}

/** The pipelines of a line in their order, those in loops, branches and brackets among them. What functions hold runs only when they are called. */
export const parseLineParts = (line: string): readonly LinePart[] => partsOf(readShell(line).list, false);

function partsOf(list: CommandList, beside: boolean): readonly LinePart[] {
  return list.flatMap(({ commands, background: own }) => {
    const background = own || beside;
    const inner = commands.flatMap((command) => (command.type === 'function' ? [] : listCommandLists(command)));
    const pipeline = commands.map(plain);
    const parts = inner.flatMap((each) => partsOf(each, background));
    return pipeline.some(({ words }) => words.length > 0) ? [...parts, { pipeline, background }] : parts;
  });
}

function plain(command: ShellCommand): PlainCommand {
  if (command.type === 'simple') return { words: texts(command.words), source: command.source };
  const words = command.type === 'test' ? ['[[', ...texts(command.words), ']]'] : command.type === 'arithmetic' ? ['((', '))'] : [];
  return { words, source: words.join(' ') };
}
const texts = (words: readonly Word[]): readonly string[] => words.map((word) => joinWordParts(word, spellPart) ?? '');

/** What is filled in when it runs, in a form that tells as much. */
const spellPart = (part: WordPart): string =>
  part.type === 'tilde' ? `~${part.user}` : part.type === 'parameter' ? `$${part.name}` : '$(…)';
