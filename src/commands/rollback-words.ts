import { count } from '../base/screen/figures.ts';
import { visibleLine } from '../base/visible.ts';
import type { CheckpointLine, RolledBackFile } from '../contracts/services/undo.ts';
import type { NextRollbacks, RollbackResult } from './rollback-steps.ts';

export const FATE_WORDS: Readonly<Record<RolledBackFile['fate'], string>> = {
  restored: 'restored',
  removed: 'removed',
  conflict: 'left alone',
  not_kept: 'not kept',
  failed: 'failed',
};

/** How many files were rolled back, and what to type to go on. */
export function closingLines(fates: readonly RolledBackFile[], { all, undo }: NextRollbacks): string[] {
  const [removed, conflicts] = [counted(fates, 'removed'), counted(fates, 'conflict')];
  const done = counted(fates, 'restored') + removed;
  return [
    ...(done > 0 ? [`${count(done, 'file')} rolled back.${removed > 0 ? ' What was removed is in the trash.' : ''}`] : []),
    ...(undo === undefined ? [] : ['What was there is kept. To undo this:', `  ${visibleLine(undo)}`]),
    ...(conflicts > 0
      ? [`${count(conflicts, 'file')} left alone. To take ${conflicts === 1 ? 'it' : 'them'}, too:`, `  ${visibleLine(all)}`]
      : []),
  ];
}
const counted = (fates: readonly RolledBackFile[], wanted: RolledBackFile['fate']): number =>
  fates.filter(({ fate }) => fate === wanted).length;

export const NO_CHECKPOINTS = 'No checkpoints here: no tool has changed a file of this folder yet.';
export const NO_DIFFERENCE = 'No difference: the files are as they were then.';
export const NOTHING_TO_ROLL_BACK = 'Nothing to do: the files are as they were then.';

export function describeRollback(result: RollbackResult): string {
  if ('why' in result) return `Nothing was rolled back, because what is there now could not be kept first: ${visibleLine(result.why)}`;
  const { files, next } = result;
  if (files.length === 0) return NOTHING_TO_ROLL_BACK;
  const lines = files.map(
    ({ path, fate, why }) => `${FATE_WORDS[fate]}  ${visibleLine(path)}${why === undefined ? '' : `: ${visibleLine(why)}`}`,
  );
  return [...lines, '', ...closingLines(files, next)].join('\n');
}

export const describeCheckpoints = (lines: readonly CheckpointLine[]): string =>
  lines.length === 0
    ? NO_CHECKPOINTS
    : lines.map(({ number, what, files, id }) => `${number}. ${visibleLine(what)} (${count(files.length, 'file')}, ${id})`).join('\n');
