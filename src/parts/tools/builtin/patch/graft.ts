import { diff } from './diff.ts';
import type { Edit } from './strategy.ts';

/**
 * Fits a replacement to a place that was not found letter for letter: lines the edit leaves alone stay as the file has
 * them, new lines are moved to the file's indentation. `undefined` when the two indentations cannot be reconciled.
 */
export function graftLines(edit: Edit, region: string, midLine: boolean): string | undefined {
  const [olds, news, found] = [edit.old.split('\n'), edit.new.split('\n'), region.split('\n').map((line) => line.replace(/\r$/, ''))];
  const paired = olds.length === found.length;
  const first = midLine ? 1 : 0;
  const tells = (index: number) => index >= first && (paired || index === 0) && !isBlank(olds[index] ?? '') && !isBlank(found[index] ?? '');
  let anchor = olds.findIndex((_, index) => tells(index));
  const placed = diff(olds, news).flatMap((op): (string | undefined)[] => {
    if (op.kind !== 'add' && tells(op.old)) anchor = op.old;
    if (op.kind === 'drop') return [];
    const line = news[op.new] ?? '';
    if (op.kind === 'same' && paired) return [found[op.old]];
    return [op.new < first || isBlank(line) ? line : reindent(line, indentOf(olds[anchor] ?? ''), indentOf(found[anchor] ?? ''))];
  });
  return placed.every((line) => line !== undefined) ? placed.join('\n') : undefined;
}

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';
const isBlank = (line: string): boolean => line.trim() === '';

/** Moves a line as its nearest neighbour moved: what was indented `from` stands `to` in the file. */
function reindent(line: string, from: string, to: string): string | undefined {
  if (from === to) return line;
  const indent = indentOf(line);
  const body = line.slice(indent.length);
  if (indent.startsWith(from)) return sameKind(to, indent.slice(from.length)) ? to + indent.slice(from.length) + body : undefined;
  const width = to.length + indent.length - from.length;
  return width >= 0 && sameKind(to, from) && sameKind(from, indent) ? (to || indent).slice(0, 1).repeat(width) + body : undefined;
}

/** Tabs here and spaces there would give lines that look right and are wrong. */
const sameKind = (a: string, b: string): boolean =>
  !((a + b).includes(' ') && (a + b).includes('\t')) || a.includes('\t') === a.includes(' ');
