import { oneLine } from '../../base/printable.ts';
import { count } from './figures.ts';
import type { Screen } from './screen.ts';

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

export function renderRollback(fates: readonly FateLine[], { paint }: Screen): string {
  if (fates.length === 0) return 'Nothing to do: the files are as they were then.\n';
  const tint = { restored: paint.good, removed: paint.good, conflict: paint.warn, not_kept: paint.warn, failed: paint.bad } as const;
  const lines = fates.map(
    ({ path, fate, why }) => `${tint[fate](WORDS[fate].padEnd(10))}  ${oneLine(path)}${why === undefined ? '' : `: ${oneLine(why)}`}`,
  );
  return `${[...lines, '', ...closing(fates)].join('\n')}\n`;
}

function closing(fates: readonly FateLine[]): string[] {
  const done = fates.filter(({ fate }) => fate === 'restored' || fate === 'removed').length;
  const conflicts = fates.filter(({ fate }) => fate === 'conflict').length;
  return [
    ...(done > 0
      ? [`${count(done, 'file')} rolled back. What was there is kept: a rollback to 1 undoes this. Removed files are in the trash.`]
      : []),
    ...(conflicts > 0 ? [`${count(conflicts, 'file')} left alone; --all takes ${conflicts === 1 ? 'it' : 'them'}, too.`] : []),
  ];
}
