import { toPrintable } from '../../base/printable.ts';
import { toVisibleLine } from '../../base/visible.ts';
import { renderRollbackSummary, FATE_WORDS, NO_DIFFERENCE, NOTHING_TO_ROLL_BACK } from '../../commands/rollback-words.ts';
import type { NextRollbacks, RollbackResult } from '../../commands/rollback-steps.ts';
import type { RollbackDiff, RolledBackFile } from '../../contracts/services/undo.ts';
import type { Screen } from '../../base/screen/screen.ts';

export function renderRollback(fates: readonly RolledBackFile[], ways: NextRollbacks, { paint }: Screen): string {
  if (fates.length === 0) return `${NOTHING_TO_ROLL_BACK}\n`;
  const tint = { restored: paint.good, removed: paint.good, conflict: paint.warn, not_kept: paint.warn, failed: paint.bad } as const;
  const lines = fates.map(
    ({ path, fate, why }) =>
      `${tint[fate](FATE_WORDS[fate].padEnd(10))}  ${toVisibleLine(path)}${why === undefined ? '' : `: ${toVisibleLine(why)}`}`,
  );
  return `${[...lines, '', ...renderRollbackSummary(fates, ways)].join('\n')}\n`;
}

export const drawRollback = (result: RollbackResult, screen: Screen): string =>
  'why' in result ? '' : renderRollback(result.files, result.next, screen);
export const toRollbackRows = (result: RollbackResult): unknown => ('why' in result ? undefined : result.files);
export const listRollbackNotices = (result: RollbackResult): readonly string[] =>
  'why' in result ? [`hermes: nothing was rolled back, because what is there now could not be kept first: ${toPrintable(result.why)}`] : [];

export const drawDiffs = (files: readonly RollbackDiff[]): string =>
  files.length === 0 ? `${NO_DIFFERENCE}\n` : `${files.map(({ diff }) => toPrintable(diff)).join('\n')}\n`;
export const toDiffRows = (files: readonly RollbackDiff[]): unknown =>
  files.map(({ path, conflict, diff }) => ({ path, conflict: conflict ?? null, diff }));
