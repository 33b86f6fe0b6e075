import { visibleLine } from '../../base/visible.ts';
import { count } from '../../base/screen/figures.ts';
import type { Screen } from '../../base/screen/screen.ts';

/** What became of one file in a rollback. */
export interface FateLine {
  readonly path: string;
  readonly fate: 'restored' | 'removed' | 'conflict' | 'not_kept' | 'failed';
  readonly why?: string;
}

const WORDS: Readonly<Record<FateLine['fate'], string>> = {
  restored: 'restored',
  removed: 'removed',
  conflict: 'left alone',
  not_kept: 'not kept',
  failed: 'failed',
};

/** What to say to go on, in full: after a rollback a number means another checkpoint. */
export interface Ways {
  /** Takes what was left alone, too. */
  readonly all: string;
  /** Undoes the rollback; absent when there is nothing to undo. */
  readonly undo?: string;
}

export function renderRollback(fates: readonly FateLine[], ways: Ways, { paint }: Screen): string {
  if (fates.length === 0) return 'Nothing to do: the files are as they were then.\n';
  const tint = { restored: paint.good, removed: paint.good, conflict: paint.warn, not_kept: paint.warn, failed: paint.bad } as const;
  const lines = fates.map(
    ({ path, fate, why }) =>
      `${tint[fate](WORDS[fate].padEnd(10))}  ${visibleLine(path)}${why === undefined ? '' : `: ${visibleLine(why)}`}`,
  );
  return `${[...lines, '', ...closing(fates, ways)].join('\n')}\n`;
}

function closing(fates: readonly FateLine[], { all, undo }: Ways): string[] {
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
const counted = (fates: readonly FateLine[], wanted: FateLine['fate']): number => fates.filter(({ fate }) => fate === wanted).length;
