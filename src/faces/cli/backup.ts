import { formatCount } from '../../base/screen/figures.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { formatMoment } from '../../base/screen/when.ts';
import { wrapText } from '../../base/screen/wrap.ts';
import { toVisibleLine } from '../../base/visible.ts';
import { backup, restore } from '../../commands/backup.ts';
import type { BackupResult, RestoreResult } from '../../contracts/services/backups.ts';
import { formatMegabytes } from './megabytes.ts';
import { renderCommand, type RendererRow } from './renderer.ts';

function renderBackup({
  file,
  bytes,
  files,
  sessions,
  encrypted,
  hasReadableKeys,
  leftOut = 0,
  unreadableLinks = [],
}: BackupResult): string {
  const how = encrypted ? ', encrypted' : '';
  return [
    `Backed up ${formatCount(files, 'file')} and ${formatCount(sessions, 'session')} to ${toVisibleLine(file)} (${formatMegabytes(bytes)} MB${how}).`,
    ...(hasReadableKeys ? ['It contains your keys: whoever has the file can use them. --encrypt protects it with a passphrase.'] : []),
    ...(leftOut > 0
      ? [
          `Left out: ${formatCount(leftOut, 'entry', 'entries')} in workspaces and folders of plugins (links, files that cannot be read, folders nested too deep).`,
        ]
      : []),
    ...(unreadableLinks.length > 0
      ? [`Left out, because what these links lead to cannot be read: ${unreadableLinks.map(toVisibleLine).join(', ')}.`]
      : []),
    `To restore it: hermes restore ${toVisibleLine(file)}`,
    '',
  ].join('\n');
}

export function renderRestore(
  { home, madeAt, files, sessions, movedTo, profilesKept = [], settled }: RestoreResult,
  { columns }: Screen,
): string {
  const { turnsGivenUp, deliveriesMarked, processesForgotten, jobsSkipped } = settled;
  const open = [
    ...(turnsGivenUp > 0 ? [`${formatCount(turnsGivenUp, 'turn')} given up`] : []),
    ...(deliveriesMarked > 0 ? [`${formatCount(deliveriesMarked, 'answer')} marked as a possible repeat`] : []),
    ...(processesForgotten > 0 ? [`${formatCount(processesForgotten, 'background process', 'background processes')} forgotten`] : []),
    ...(jobsSkipped > 0 ? [`${formatCount(jobsSkipped, 'scheduled job')} waiting for the next time`] : []),
  ];
  return [
    `Restored ${formatCount(files, 'file')} and ${formatCount(sessions, 'session')} to ${toVisibleLine(home)}, as of ${formatMoment(madeAt)}.`,
    ...(movedTo === undefined ? [] : [`What was there is in ${toVisibleLine(movedTo)}.`]),
    ...(profilesKept.length === 0 ? [] : [`Other profiles stayed as they were: ${profilesKept.map(toVisibleLine).join(', ')}.`]),
    ...(open.length === 0 ? [] : [`Unfinished when the backup was made: ${open.join(', ')}.`]),
    'Next: hermes doctor, then hermes or hermes gateway start. Do not run the old copy and this one at the same time.',
    '',
  ]
    .flatMap((line) => wrapText(line, columns))
    .join('\n');
}

export const ROWS: readonly RendererRow[] = [
  renderCommand(backup, { text: renderBackup }),
  renderCommand(restore, { text: renderRestore, json: ({ madeAt, ...result }) => ({ madeAt: new Date(madeAt).toISOString(), ...result }) }),
];
