import { toVisibleLine } from '../../base/visible.ts';
import { trashEmpty, trashList, trashRestore } from '../../commands/trash.ts';
import type { TrashLine } from '../../contracts/services/undo.ts';
import { formatMegabytes } from './megabytes.ts';
import { renderCommand, type RendererRow } from './renderer.ts';
import { formatCount } from '../../base/screen/figures.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { drawTable } from '../../base/screen/table.ts';
import { formatAgo } from '../../base/screen/when.ts';

export function renderTrash(rows: readonly TrashLine[], screen: Screen): string {
  if (rows.length === 0) return 'The trash is empty.\n';
  const columns = [
    { heading: 'id' },
    { heading: 'when' },
    { heading: 'by' },
    { heading: 'MB', align: 'right' as const },
    { heading: 'path', flexible: true as const },
  ];
  const lines = drawTable(
    columns,
    rows.map(({ id, path, at, bytes, by = 'rm' }) => [
      toVisibleLine(id),
      formatAgo(at, screen.now),
      toVisibleLine(by),
      formatMegabytes(bytes),
      toVisibleLine(path),
    ]),
    screen,
  );
  return `${lines.join('\n')}\n\n${screen.paint.faint('hermes trash restore ID puts it back where it was.')}\n`;
}

export const renderEmptied = (things: number, bytes: number): string =>
  things === 0 ? 'The trash was empty.\n' : `${formatCount(things, 'thing')} deleted for good, ${formatMegabytes(bytes)} MB.\n`;

export const renderRestored = (path: string): string => `Restored: ${toVisibleLine(path)}\n`;

export const toTrashJson = ({ at, ...line }: TrashLine) => ({ ...line, at: new Date(at).toISOString() });

export const ROWS: readonly RendererRow[] = [
  renderCommand(trashList, { text: renderTrash, json: (rows) => rows.map(toTrashJson) }),
  renderCommand(trashRestore, { text: ({ path }) => renderRestored(path), json: (result) => result }),
  renderCommand(trashEmpty, { text: ({ things, bytes }) => renderEmptied(things, bytes), json: (result) => result }),
];
