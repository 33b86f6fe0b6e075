import { formatCount } from '../../base/screen/figures.ts';
import { toVisibleLine } from '../../base/visible.ts';
import { update } from '../../commands/update.ts';
import type { UpdateNews, UpdateResult, UpdateStep } from '../../contracts/services/updates.ts';
import { renderCommand, type RendererRow } from './renderer.ts';

function renderUpdate(result: UpdateNews | UpdateResult): string {
  const { from, to, changes } = result;
  if (to === undefined) return `hermes is up to date (${from}).\n`;
  const list = changes.map((change) => `  ${toVisibleLine(change)}`);
  if (!('updated' in result)) return [`There is a newer version: ${from} → ${to}`, ...list, '', 'To get it: hermes update', ''].join('\n');
  return [
    `Updated: ${from} → ${to}`,
    ...list,
    ...result.restarted.map((home) => `The gateway of ${toVisibleLine(home)} runs again.`),
    ...result.left.map(
      ({ home, why }) => `The gateway of ${toVisibleLine(home)} was not started (${toVisibleLine(why)}). Start it: hermes gateway start`,
    ),
    ...result.stopped.map((home) => `The API server of ${toVisibleLine(home)} was stopped. Start it again: hermes serve`),
    '',
  ].join('\n');
}

function describeStep(step: UpdateStep): string {
  switch (step.type) {
    case 'draining':
      return `Waiting for ${describeProcesses(step)} to finish running turns …`;
    case 'installing':
      return `Installing ${step.to} …`;
    case 'starting':
      return `Starting ${formatCount(step.gateways, 'gateway')} …`;
  }
}

const describeProcesses = ({ gateways, servers }: Extract<UpdateStep, { type: 'draining' }>): string =>
  [gateways > 0 && formatCount(gateways, 'gateway'), servers > 0 && formatCount(servers, 'API server')]
    .filter((words) => words !== false)
    .join(' and ');

export const ROWS: readonly RendererRow[] = [
  renderCommand(update, { text: renderUpdate, progress: (step, { err }) => err(`${describeStep(step)}\n`) }),
];
