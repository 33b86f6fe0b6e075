import { visibleLine } from '../../base/visible.ts';
import { megabytes } from './checkpoints.ts';
import { count } from '../../base/screen/figures.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { table } from '../../base/screen/table.ts';
import { ago } from '../../base/screen/when.ts';

/** A deleted file that can still be had back. */
export interface TrashLine {
  readonly id: string;
  readonly path: string;
  readonly at: number;
  readonly bytes: number;
  readonly by?: string;
}

export function renderTrash(rows: readonly TrashLine[], screen: Screen): string {
  if (rows.length === 0) return 'The trash is empty.\n';
  const columns = [
    { heading: 'id' },
    { heading: 'when' },
    { heading: 'by' },
    { heading: 'MB', align: 'right' as const },
    { heading: 'path', flexible: true as const },
  ];
  const lines = table(
    columns,
    rows.map(({ id, path, at, bytes, by = 'rm' }) => [
      visibleLine(id),
      ago(at, screen.now),
      visibleLine(by),
      megabytes(bytes),
      visibleLine(path),
    ]),
    screen,
  );
  return `${lines.join('\n')}\n\n${screen.paint.faint('hermes trash restore ID puts it back where it was.')}\n`;
}

export const renderEmptied = (things: number, bytes: number): string =>
  things === 0 ? 'The trash was empty.\n' : `${count(things, 'thing')} deleted for good, ${megabytes(bytes)} MB.\n`;

export const renderRestored = (path: string): string => `Restored: ${visibleLine(path)}\n`;

export const trashJson = ({ at, ...line }: TrashLine) => ({ ...line, at: new Date(at).toISOString() });
