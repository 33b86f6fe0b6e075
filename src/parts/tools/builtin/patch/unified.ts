import type { FileDiff } from '../../../../contracts/details.ts';
import { diff, type DiffStep } from './diff.ts';

const CONTEXT = 3;
/** Characters of a diff shown; the file has the rest. */
const MAX_DIFF = 12_000;

/** A unified diff of two texts. `undefined` stands for a file that is not there. */
export function renderUnifiedDiff(
  name: { readonly old: string; readonly new: string },
  before: string | undefined,
  after: string | undefined,
): string {
  return measureDiff(name, before, after).diff;
}

/** A unified diff, and how many lines it adds and removes; `cut` when it shows not all of them. */
export function measureDiff(
  name: { readonly old: string; readonly new: string },
  before: string | undefined,
  after: string | undefined,
): Pick<FileDiff, 'diff' | 'added' | 'removed' | 'cut'> {
  const [oldLines, newLines] = [linesOf(before), linesOf(after)];
  const ops = diff(oldLines, newLines);
  const hunks = group(ops).map((hunk) => renderHunk(hunk, oldLines, newLines));
  const whole = [
    `--- ${before === undefined ? '/dev/null' : `a/${name.old}`}`,
    `+++ ${after === undefined ? '/dev/null' : `b/${name.new}`}`,
    ...hunks,
  ].join('\n');
  const count = (kind: DiffStep['kind']): number => ops.filter((op) => op.kind === kind).length;
  const lines = { added: count('add'), removed: count('drop') };
  if (whole.length <= MAX_DIFF) return { diff: whole, ...lines };
  const shown = whole.slice(0, whole.lastIndexOf('\n', MAX_DIFF));
  return { diff: `${shown}\n[… diff cut, ${whole.length} characters in all …]`, ...lines, cut: true };
}

const linesOf = (text: string | undefined): string[] => (text === undefined || text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** Changes that lie near each other, each group with a few lines around it. */
function group(ops: readonly DiffStep[]): DiffStep[][] {
  const groups: DiffStep[][] = [];
  let lastChange = -Infinity;
  ops.forEach((op, index) => {
    if (op.kind === 'same') return;
    const current = groups.at(-1);
    if (current !== undefined && index - lastChange <= 2 * CONTEXT + 1) current.push(...ops.slice(lastChange + 1, index + 1));
    else {
      closeGroup(current, ops, lastChange);
      groups.push(ops.slice(Math.max(0, index - CONTEXT), index + 1));
    }
    lastChange = index;
  });
  closeGroup(groups.at(-1), ops, lastChange);
  return groups;
}

const closeGroup = (open: DiffStep[] | undefined, ops: readonly DiffStep[], lastChange: number): void => {
  open?.push(...ops.slice(lastChange + 1, lastChange + 1 + CONTEXT));
};

function renderHunk(ops: readonly DiffStep[], oldLines: readonly string[], newLines: readonly string[]): string {
  const olds = ops.flatMap((op) => (op.kind === 'add' ? [] : [op.old]));
  const news = ops.flatMap((op) => (op.kind === 'drop' ? [] : [op.new]));
  const body = ops.map((op) => (op.kind === 'add' ? `+${newLines[op.new]}` : `${op.kind === 'drop' ? '-' : ' '}${oldLines[op.old]}`));
  return [`@@ -${(olds[0] ?? -1) + 1},${olds.length} +${(news[0] ?? -1) + 1},${news.length} @@`, ...body].join('\n');
}
