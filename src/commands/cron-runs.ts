import { toPrintable } from '../base/printable.ts';
import { toVisibleLine } from '../base/visible.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { AskedJobRun, CronStatus, RunView, TickerView } from '../contracts/services/jobs.ts';
import { CRON_FACTS, JOB_REF, NO_TICKER, OWNERS_CRON_FACTS } from './cron.ts';

/** On a command line it is run there and then; a session asks whoever runs jobs. */
export const cronRun = defineCommand({
  ...OWNERS_CRON_FACTS,
  name: 'cron run',
  summary: 'Run a job now, besides its schedule',
  arguments: { job: JOB_REF },
  json: 'as JSON',
  examples: ['hermes cron run news'],
  run: async ({ job }, { jobs }, { place, signal }): Promise<(RunView & { readonly ok: boolean }) | AskedJobRun> => {
    if (place !== 'shell') return jobs.ask(job);
    const run = await jobs.runNow(job, signal);
    return { ...run, ok: run.state === 'done' };
  },
  describe: (result) => ('tickers' in result ? describeAsked(result) : describeRunEnd(result)),
});

const describeAsked = ({ job, tickers }: AskedJobRun): string =>
  toVisibleLine(`A run of ${job.id} (${job.name}) was asked for. ${tickers.length > 0 ? 'It starts in a moment.' : NO_TICKER}`);

function describeRunEnd({ jobName, state, why, text, isSilent, undelivered }: RunView): string {
  const head =
    state === 'failed'
      ? `${jobName} failed: ${why ?? ''}`
      : state !== 'done'
        ? `${jobName} is not over: whoever runs jobs next goes on with it.`
        : isSilent === true
          ? `${jobName} had nothing to report.`
          : '';
  return [
    ...(head === '' ? [] : [toVisibleLine(head)]),
    ...(state === 'done' && isSilent !== true && text !== undefined ? [toPrintable(text)] : []),
    ...(undelivered === undefined ? [] : [toVisibleLine(`Not sent: ${undelivered}`)]),
  ].join('\n');
}

export const cronRunDue = defineCommand({
  ...OWNERS_CRON_FACTS,
  where: ['shell'],
  name: 'cron run-due',
  summary: 'Run what is due now and end: for a scheduler of your own, such as crontab',
  json: 'as JSON',
  examples: ['hermes cron run-due'],
  run: async (_values, { jobs }, { signal }) => {
    const runs = await jobs.runDue(signal);
    return { ok: runs.every(({ state }) => state === 'done'), runs };
  },
  describe: ({ runs }) => runs.map(describeRunLine).join('\n') || 'Nothing is due.',
});

export function describeRunState({ state, missed, isSilent, why, undelivered }: RunView): string {
  const words = {
    waiting: 'waiting',
    running: 'running',
    done: isSilent === true ? 'done, nothing to report' : 'done',
    failed: `failed: ${why ?? ''}`,
    missed: `${missed?.isMore === true ? 'more than ' : ''}${missed?.count ?? 1} not run: too late`,
  }[state];
  return undelivered === undefined ? words : `${words}; not sent: ${undelivered}`;
}
const describeRunLine = (run: RunView): string => toVisibleLine(`${run.dueWords}  ${run.jobName} (${run.jobId})  ${describeRunState(run)}`);

export const cronHistory = defineCommand({
  ...CRON_FACTS,
  name: 'cron history',
  aliases: ['cron runs'],
  summary: 'Show what jobs did, latest first',
  arguments: { job: { kind: 'text', description: 'a job: its id, or its name; all jobs when left out' } },
  options: { limit: { kind: 'whole_number', letter: 'n', placeholder: 'n', default: 20, description: 'how many runs' } },
  json: 'one JSON array',
  examples: ['hermes cron history', 'hermes cron history news -n 5'],
  run: ({ job, limit }, { jobs }) => jobs.history({ limit, ...(job !== undefined && { job }) }),
  describe: (rows) => rows.map(describeRunLine).join('\n') || 'No job has run yet.',
});

export const cronStatus = defineCommand({
  ...CRON_FACTS,
  name: 'cron status',
  summary: 'Show which process runs jobs, what runs now and what is next',
  json: 'as JSON',
  examples: ['hermes cron status', "hermes cron status --json | jq '.tickers[0].pid'"],
  run: (_values, { jobs }) => jobs.status(),
  describe: describeStatus,
});

/** A gateway without a platform and without jobs would refuse to start. */
const NOTHING_TO_RUN = 'No process runs jobs now, and there are none to run.';

function describeStatus({ tickers, jobs, running, next, failing, zone }: CronStatus): string {
  const isIdle = jobs.scheduled === 0 && running.length === 0;
  return [
    ...(tickers.length > 0 ? tickers.map(describeTicker) : [isIdle ? NOTHING_TO_RUN : NO_TICKER]),
    `Jobs: ${jobs.scheduled} scheduled, ${jobs.paused} paused. Time zone: ${zone}`,
    ...running.map(
      ({ jobName, jobId, dueWords, state }) => `${state === 'running' ? 'Running' : 'Waiting'}: ${jobName} (${jobId}), due ${dueWords}`,
    ),
    ...(next === undefined ? [] : [`Next: ${next.name} (${next.id}), ${next.nextWords ?? ''}`]),
    ...failing.map(({ name, id, failures, lastRun }) => `Failing: ${name} (${id}), ${failures} in a row: ${lastRun?.why ?? ''}`),
  ]
    .map(toVisibleLine)
    .join('\n');
}

const describeTicker = ({ kind, pid, host, msSinceLook }: TickerView): string =>
  `Jobs are run by process ${pid} on ${host} (${kind}), which last looked ${Math.round(msSinceLook / 1_000)} s ago.`;
