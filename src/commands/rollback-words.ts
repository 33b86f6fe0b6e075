import { formatCount } from '../base/screen/figures.ts';
import { takeStart } from '../base/text.ts';
import { toVisibleLine } from '../base/visible.ts';
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
export function renderRollbackSummary(fates: readonly RolledBackFile[], { all, undo }: NextRollbacks): string[] {
  const [removed, conflicts] = [counted(fates, 'removed'), counted(fates, 'conflict')];
  const done = counted(fates, 'restored') + removed;
  return [
    ...(done > 0 ? [`${formatCount(done, 'file')} rolled back.${removed > 0 ? ' What was removed is in the trash.' : ''}`] : []),
    ...(undo === undefined ? [] : ['What was there is kept. To undo this:', `  ${toVisibleLine(undo)}`]),
    ...(conflicts > 0
      ? [`${formatCount(conflicts, 'file')} left alone. To take ${conflicts === 1 ? 'it' : 'them'}, too:`, `  ${toVisibleLine(all)}`]
      : []),
  ];
}
const counted = (fates: readonly RolledBackFile[], wanted: RolledBackFile['fate']): number =>
  fates.filter(({ fate }) => fate === wanted).length;

export const NO_CHECKPOINTS = 'No checkpoints here: no tool has changed a file of this folder yet.';
export const NO_DIFFERENCE = 'No difference: the files are as they were then.';
export const NOTHING_TO_ROLL_BACK = 'Nothing to do: the files are as they were then.';

export function describeRollback(result: RollbackResult): string {
  if ('why' in result) return `Nothing was rolled back, because what is there now could not be kept first: ${toVisibleLine(result.why)}`;
  const { files, next } = result;
  if (files.length === 0) return NOTHING_TO_ROLL_BACK;
  const lines = files.map(
    ({ path, fate, why }) => `${FATE_WORDS[fate]}  ${toVisibleLine(path)}${why === undefined ? '' : `: ${toVisibleLine(why)}`}`,
  );
  return [...lines, '', ...renderRollbackSummary(files, next)].join('\n');
}

/** Characters of a command in a list that is read on a phone. */
const MAX_WHAT = 120;
const shorten = (what: string): string => (what.length <= MAX_WHAT ? what : `${takeStart(what, MAX_WHAT - 1)}…`);

export const describeCheckpoints = (lines: readonly CheckpointLine[]): string =>
  lines.length === 0
    ? NO_CHECKPOINTS
    : lines
        .map(({ number, what, files, id }) => `${number}. ${shorten(toVisibleLine(what))} (${formatCount(files.length, 'file')}, ${id})`)
        .join('\n');
