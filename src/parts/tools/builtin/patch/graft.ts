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
  const shift = paired ? shiftOf(olds, found, first) : shiftOf(olds.slice(0, 1), found.slice(0, 1), first);
  const placed = diff(olds, news).flatMap((op): (string | undefined)[] => {
    if (op.kind === 'drop') return [];
    const line = news[op.new] ?? '';
    if (op.kind === 'same' && paired) return [found[op.old]];
    return [op.new < first ? line : shift(line)];
  });
  return placed.every((line) => line !== undefined) ? placed.join('\n') : undefined;
}

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';
const isBlank = (line: string): boolean => line.trim() === '';

/** How lines of the edit move into the file, told by the first line that both have. */
function shiftOf(olds: readonly string[], found: readonly string[], first: number): (line: string) => string | undefined {
  const index = olds.findIndex((line, at) => at >= first && !isBlank(line) && !isBlank(found[at] ?? ''));
  const [from, to] = [indentOf(olds[index] ?? ''), indentOf(found[index] ?? '')];
  return (line) => (from === to || isBlank(line) ? line : reindent(line, from, to));
}

function reindent(line: string, from: string, to: string): string | undefined {
  const indent = indentOf(line);
  const body = line.slice(indent.length);
  if (indent.startsWith(from)) return sameKind(to, indent.slice(from.length)) ? to + indent.slice(from.length) + body : undefined;
  const width = to.length + indent.length - from.length;
  return width >= 0 && sameKind(to, from) && sameKind(from, indent) ? (to || indent).slice(0, 1).repeat(width) + body : undefined;
}

/** Tabs here and spaces there would give lines that look right and are wrong. */
const sameKind = (a: string, b: string): boolean => !((a + b).includes(' ') && (a + b).includes('\t')) || a.includes('\t') === a.includes(' ');
