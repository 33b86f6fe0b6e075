import { toPrintable } from '../../base/printable.ts';
import { visibleLine } from '../../base/visible.ts';
import type { NextRollbacks, RollbackResult } from '../../commands/rollback-steps.ts';
import type { RollbackDiff, RolledBackFile } from '../../contracts/services/undo.ts';
import { count } from '../../base/screen/figures.ts';
import type { Screen } from '../../base/screen/screen.ts';

const WORDS: Readonly<Record<RolledBackFile['fate'], string>> = {
  restored: 'restored',
  removed: 'removed',
  conflict: 'left alone',
  not_kept: 'not kept',
  failed: 'failed',
};

export function renderRollback(fates: readonly RolledBackFile[], ways: NextRollbacks, { paint }: Screen): string {
  if (fates.length === 0) return 'Nothing to do: the files are as they were then.\n';
  const tint = { restored: paint.good, removed: paint.good, conflict: paint.warn, not_kept: paint.warn, failed: paint.bad } as const;
  const lines = fates.map(
    ({ path, fate, why }) =>
      `${tint[fate](WORDS[fate].padEnd(10))}  ${visibleLine(path)}${why === undefined ? '' : `: ${visibleLine(why)}`}`,
  );
  return `${[...lines, '', ...closing(fates, ways)].join('\n')}\n`;
}

function closing(fates: readonly RolledBackFile[], { all, undo }: NextRollbacks): string[] {
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

export const drawRollback = (result: RollbackResult, screen: Screen): string =>
  'why' in result ? '' : renderRollback(result.files, result.next, screen);
export const rollbackRows = (result: RollbackResult): unknown => ('why' in result ? undefined : result.files);
export const rollbackNotices = (result: RollbackResult): readonly string[] =>
  'why' in result ? [`hermes: nothing was rolled back, because what is there now could not be kept first: ${toPrintable(result.why)}`] : [];

export const drawDiffs = (files: readonly RollbackDiff[]): string =>
  files.length === 0 ? 'No difference: the files are as they were then.\n' : `${files.map(({ diff }) => toPrintable(diff)).join('\n')}\n`;
export const diffRows = (files: readonly RollbackDiff[]): unknown =>
  files.map(({ path, conflict, diff }) => ({ path, conflict: conflict ?? null, diff }));
