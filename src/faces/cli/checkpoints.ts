import { visible, visibleLine } from '../../base/visible.ts';
import { count } from '../../base/screen/figures.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { table } from '../../base/screen/table.ts';
import { ago } from '../../base/screen/when.ts';
import { wrap } from '../../base/screen/wrap.ts';

/** A checkpoint as the owner sees it. */
export interface CheckpointLine {
  /** Newest first from 1, in the list it stands in. */
  readonly number: number;
  readonly id: string;
  readonly at: number;
  readonly tool: string;
  readonly what: string;
  readonly root: string;
  readonly sessionId: string;
  readonly turnId: string;
  /** The call was cut off: what it changed is found out when it is rolled back. */
  readonly cutOff: boolean;
  readonly files: readonly CheckpointFile[];
}
export interface CheckpointFile {
  readonly path: string;
  readonly change: 'made' | 'changed' | 'deleted' | 'unknown';
}

export function renderCheckpoints(rows: readonly CheckpointLine[], screen: Screen): string {
  if (rows.length === 0) return 'No checkpoints here: no tool has changed a file of this folder yet.\n';
  const columns = [
    { heading: '#', align: 'right' as const },
    { heading: 'when' },
    { heading: 'tool' },
    { heading: 'files', align: 'right' as const },
    { heading: 'what', flexible: true as const },
    { heading: 'id' },
  ];
  const lines = table(
    columns,
    rows.map(({ number, id, at, tool, what, files, cutOff }) => [
      String(number),
      ago(at, screen.now),
      tool,
      cutOff ? { text: 'cut off', paint: screen.paint.warn } : String(files.length),
      visibleLine(what),
      { text: id, paint: screen.paint.faint },
    ]),
    screen,
  );
  const help = 'A rollback to # brings files back as they were before it, and undoes what came after, too.';
  return `${[...lines, '', ...wrap(help, screen.columns).map(screen.paint.faint)].join('\n')}\n`;
}

export const renderCheckpoint = (line: CheckpointLine, { paint, now }: Screen): string =>
  [
    `${paint.strong(line.id)}  ${ago(line.at, now)}  ${line.tool}${line.cutOff ? paint.warn('  cut off') : ''}`,
    `  ${visible(line.what).replaceAll('\n', '\n    ')}`,
    `  in ${visibleLine(line.root)}, session ${line.sessionId}`,
    ...line.files.map(({ path, change }) => `  ${change.padEnd(7)}  ${visibleLine(path)}`),
    '',
  ].join('\n');

export const checkpointJson = ({ at, ...line }: CheckpointLine) => ({ ...line, at: new Date(at).toISOString() });

export interface CheckpointStatus {
  readonly enabled: boolean;
  readonly folder: string;
  readonly checkpoints: number;
  readonly bytes: number;
  readonly maxBytes: number;
  readonly prunedAt: number;
}

export const renderStatus = ({ enabled, folder, checkpoints, bytes, maxBytes, prunedAt }: CheckpointStatus, { now }: Screen): string =>
  [
    `${enabled ? 'On' : 'Off (checkpoints.enabled)'}: ${count(checkpoints, 'checkpoint')} in ${visibleLine(folder)}`,
    `  ${megabytes(bytes)} of ${megabytes(maxBytes)} MB${prunedAt === 0 ? '' : `, last tidied ${ago(prunedAt, now)}`}`,
    '',
  ].join('\n');

export const statusJson = ({ prunedAt, ...status }: CheckpointStatus) => ({
  ...status,
  prunedAt: prunedAt === 0 ? null : new Date(prunedAt).toISOString(),
});

export const megabytes = (bytes: number): string => (bytes / 1_048_576).toFixed(bytes < 10_485_760 ? 1 : 0);
