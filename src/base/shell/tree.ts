import type { CommandList, ShellCommand, Word, WordPart } from './ast.ts';

/** The lists of commands a compound command is made of, in the order they are written; a simple one has none. */
export function listCommandLists(command: ShellCommand): readonly CommandList[] {
  switch (command.type) {
    case 'group':
    case 'each':
      return [command.body];
    case 'branches':
      return command.bodies.flatMap((body, at) => [...command.conditions.slice(at, at + 1), body]);
    case 'loop':
      return [command.condition, command.body];
    case 'choice':
      return command.bodies;
    case 'function':
      return [[{ commands: [command.body], after: ';', background: false }]];
    default:
      return [];
  }
}

/** The commands that run to fill in pieces of words: `$( … )`, backticks, `<( … )`, wherever they stand. */
export const listSubstitutions = (parts: readonly WordPart[]): readonly CommandList[] =>
  parts.flatMap((part) => {
    if (part.type === 'output' || part.type === 'pipe') return [part.body];
    if (part.type === 'arithmetic') return listSubstitutions(part.parts);
    return part.type === 'parameter' ? listSubstitutions(part.operand) : [];
  });

/** What a piece stands for when it is neither text nor pattern; `undefined` when that is not known before it runs. */
export type PartText = (part: Exclude<WordPart, { readonly text: string }>) => string | undefined;

/** A word without its quotes; `undefined` when one of its pieces is not known. */
export function joinWordParts({ parts }: Word, known: PartText): string | undefined {
  const texts = parts.map((part) => ('text' in part ? part.text : known(part)));
  return texts.every((text) => text !== undefined) ? texts.join('') : undefined;
}
