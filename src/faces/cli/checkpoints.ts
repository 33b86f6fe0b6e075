import { showInvisible, toVisibleLine } from '../../base/visible.ts';
import { formatCount } from '../../base/screen/figures.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { drawTable } from '../../base/screen/table.ts';
import * as commands from '../../commands/checkpoints.ts';
import { NO_CHECKPOINTS } from '../../commands/rollback-words.ts';
import type { CheckpointLine, CheckpointStatus, ClearedCheckpoints } from '../../contracts/services/undo.ts';
import { formatMegabytes } from './megabytes.ts';
import { renderCommand, type CommandRenderer, type RendererRow } from './renderer.ts';
import { toDiffRows, drawDiffs, drawRollback, listRollbackNotices, toRollbackRows } from './rollback.ts';
import { formatAgo } from '../../base/screen/when.ts';
import { wrapText } from '../../base/screen/wrap.ts';

export function renderCheckpoints(rows: readonly CheckpointLine[], screen: Screen): string {
  if (rows.length === 0) return `${NO_CHECKPOINTS}\n`;
  const columns = [
    { heading: '#', align: 'right' as const },
    { heading: 'when' },
    { heading: 'tool' },
    { heading: 'files', align: 'right' as const },
    { heading: 'what', flexible: true as const },
    { heading: 'id' },
  ];
  const lines = drawTable(
    columns,
    rows.map(({ number, id, at, tool, what, files, cutOff }) => [
      String(number),
      formatAgo(at, screen.now),
      tool,
      cutOff ? { text: 'cut off', paint: screen.paint.warn } : String(files.length),
      toVisibleLine(what),
      { text: id, paint: screen.paint.faint },
    ]),
    screen,
  );
  const help = 'Restoring # also undoes every later change.';
  return `${[...lines, '', ...wrapText(help, screen.columns).map(screen.paint.faint)].join('\n')}\n`;
}

export const renderCheckpoint = (line: CheckpointLine, { paint, now }: Screen): string =>
  [
    `${paint.strong(line.id)}  ${formatAgo(line.at, now)}  ${line.tool}${line.cutOff ? paint.warn('  cut off') : ''}`,
    `  ${showInvisible(line.what).replaceAll('\n', '\n    ')}`,
    `  in ${toVisibleLine(line.root)}, session ${line.sessionId}`,
    ...line.files.map(({ path, change }) => `  ${change.padEnd(7)}  ${toVisibleLine(path)}`),
    '',
  ].join('\n');

export const toCheckpointJson = ({ at, ...line }: CheckpointLine) => ({ ...line, at: new Date(at).toISOString() });

export const renderStatus = ({ enabled, folder, checkpoints, bytes, maxBytes, prunedAt }: CheckpointStatus, { now }: Screen): string =>
  [
    `${enabled ? 'On' : 'Off (checkpoints.enabled)'}: ${formatCount(checkpoints, 'checkpoint')} in ${toVisibleLine(folder)}`,
    `  ${formatMegabytes(bytes)} of ${formatMegabytes(maxBytes)} MB${prunedAt === 0 ? '' : `, last cleaned ${formatAgo(prunedAt, now)}`}`,
    '',
  ].join('\n');

export const toCheckpointStatusJson = ({ prunedAt, ...status }: CheckpointStatus) => ({
  ...status,
  prunedAt: prunedAt === 0 ? null : new Date(prunedAt).toISOString(),
});

const cleared: CommandRenderer<ClearedCheckpoints> = {
  text: ({ checkpoints: gone, bytes }) => `Deleted ${formatCount(gone, 'checkpoint')}, freed ${formatMegabytes(bytes)} MB.\n`,
  json: (gone) => gone,
};
export const ROWS: readonly RendererRow[] = [
  renderCommand(commands.checkpointsList, { text: renderCheckpoints, json: (rows) => rows.map(toCheckpointJson) }),
  renderCommand(commands.checkpointsShow, { text: renderCheckpoint, json: toCheckpointJson }),
  renderCommand(commands.checkpointsDiff, { text: drawDiffs, json: toDiffRows }),
  renderCommand(commands.checkpointsRestore, { text: drawRollback, json: toRollbackRows, notices: listRollbackNotices }),
  renderCommand(commands.checkpointsPrune, cleared),
  renderCommand(commands.checkpointsClear, cleared),
  renderCommand(commands.checkpointsStatus, { text: renderStatus, json: toCheckpointStatusJson }),
];
