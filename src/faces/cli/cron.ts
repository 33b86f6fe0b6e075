import type { Screen } from '../../base/screen/screen.ts';
import { drawTable } from '../../base/screen/table.ts';
import { toVisibleLine } from '../../base/visible.ts';
import { cronList, describeNoJobs, describeState, describeTiming } from '../../commands/cron.ts';
import { cronHistory, describeRunState } from '../../commands/cron-runs.ts';
import type { JobView, RunView } from '../../contracts/services/jobs.ts';
import { renderCommand, type RendererRow } from './renderer.ts';

function renderJobs(rows: readonly JobView[], screen: Screen): string {
  if (rows.length === 0) return `${describeNoJobs()}\n`;
  const columns = [{ heading: 'id' }, { heading: 'name', flexible: true as const }, { heading: 'schedule' }, { heading: 'next run' }];
  const cells = rows.map((job) => [job.id, job.name, describeTiming(job), describeState(job)].map(toVisibleLine));
  return `${drawTable(columns, cells, screen).join('\n')}\n`;
}

function renderRuns(rows: readonly RunView[], screen: Screen): string {
  if (rows.length === 0) return 'No job has run yet.\n';
  const columns = [
    { heading: 'due' },
    { heading: 'job' },
    { heading: 'session', optional: true as const },
    { heading: 'what came of it', flexible: true as const },
  ];
  const cells = rows.map((run) => [run.dueWords, run.jobName, run.sessionId ?? '', describeRunState(run)].map(toVisibleLine));
  return `${drawTable(columns, cells, screen).join('\n')}\n`;
}

export const ROWS: readonly RendererRow[] = [
  renderCommand(cronList, { text: renderJobs }),
  renderCommand(cronHistory, { text: renderRuns }),
];
