import { showInvisible, toVisibleLine } from '../../base/visible.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { drawTable } from '../../base/screen/table.ts';
import { formatAgo } from '../../base/screen/when.ts';
import { processesKeep, processesKill, processesList, processesShow, type ShownProcess } from '../../commands/processes.ts';
import type { BackgroundProcess } from '../../contracts/services/processes.ts';
import { renderCommand, type RendererRow } from './renderer.ts';

export function renderProcesses(rows: readonly BackgroundProcess[], screen: Screen): string {
  if (rows.length === 0) return 'No background processes are running.\n';
  const columns = [
    { heading: 'id' },
    { heading: 'started' },
    { heading: 'state' },
    { heading: 'pid', align: 'right' as const },
    { heading: 'command', flexible: true as const },
  ];
  const lines = drawTable(
    columns,
    rows.map((row) => [
      toVisibleLine(row.id),
      formatAgo(row.startedAt, screen.now),
      stateOf(row),
      String(row.pid),
      toVisibleLine(row.command),
    ]),
    screen,
  );
  const next = 'To see the output of one: hermes processes show ID. To end one: hermes processes kill ID';
  return `${lines.join('\n')}\n\n${screen.paint.faint(next)}\n`;
}

const stateOf = ({ state, exitCode }: BackgroundProcess): string => (state === 'exited' ? `exited (${exitCode ?? 'unknown'})` : state);

export function renderProcess({ process: row, text, lines }: ShownProcess, { paint, now }: Screen): string {
  const where = row.backend === 'local' ? '' : ` in ${toVisibleLine(row.backend)}`;
  return [
    `${paint.strong(toVisibleLine(row.id))}  ${stateOf(row)}  pid ${row.pid}${where}, started ${formatAgo(row.startedAt, now)}`,
    `  ${toVisibleLine(row.command)}`,
    `  session ${toVisibleLine(row.sessionId)}`,
    '',
    lines === 0 ? paint.faint('No output yet.') : showInvisible(text).trimEnd(),
    '',
  ].join('\n');
}

export const toProcessJson = ({ startedAt, ...row }: BackgroundProcess) => ({ ...row, startedAt: new Date(startedAt).toISOString() });

export const ROWS: readonly RendererRow[] = [
  renderCommand(processesList, { text: renderProcesses, json: (rows) => rows.map(toProcessJson) }),
  renderCommand(processesShow, {
    text: renderProcess,
    json: ({ process, text, lines }) => ({ ...toProcessJson(process), lines, output: text }),
  }),
  renderCommand(processesKeep, {
    text: (row) => `${toVisibleLine(row.id)} goes on when its session is closed: ${toVisibleLine(row.command)}\n`,
    json: toProcessJson,
  }),
  renderCommand(processesKill, {
    text: ({ process, ok, already }) =>
      already
        ? `${toVisibleLine(process.id)} has already ended.\n`
        : ok
          ? `Ended ${toVisibleLine(process.id)}: ${toVisibleLine(process.command)}\n`
          : `${toVisibleLine(process.id)} did not end. Check pid ${process.pid} with ps.\n`,
    json: ({ process, ok }) => ({ ...toProcessJson(process), ended: ok }),
  }),
];
