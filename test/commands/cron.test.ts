import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cronAdd, cronList, cronPause, cronRemove } from '../../src/commands/cron.ts';
import { cronStatus } from '../../src/commands/cron-runs.ts';
import type { CronStatus, JobView } from '../../src/contracts/services/jobs.ts';

const NINE = { kind: 'cron', expression: '0 9 * * 1-5', zone: 'UTC' } as const;
const JOB: JobView = {
  id: 'a1',
  state: 'scheduled',
  name: 'news',
  schedule: '0 9 * * 1-5 (UTC)',
  timing: NINE,
  said: 'weekdays at 9am',
  prompt: 'x',
  deliver: ['origin'],
  createdAt: '2026-11-19T00:00:00.000Z',
  nextWords: 'Fri 2026-11-20 09:00 UTC',
  runs: 0,
  failures: 0,
};

test('a list of jobs says each schedule as it was typed, and each time once', () => {
  const once = { ...JOB, name: 'call', schedule: 'once, Fri 2026-11-20 09:00 UTC', timing: { kind: 'once', at: 1 }, said: '30m' } as const;
  const rows: readonly JobView[] = [
    JOB,
    { ...JOB, said: '0 9 * * mon-fri' },
    once,
    { ...once, state: 'paused' },
    { ...JOB, state: 'completed' },
  ];
  assert.deepEqual(cronList.describe?.(rows).split('\n'), [
    'a1  news: weekdays at 9am (UTC); next: Fri 2026-11-20 09:00 UTC',
    'a1  news: 0 9 * * 1-5 (UTC); next: Fri 2026-11-20 09:00 UTC',
    'a1  call: once, Fri 2026-11-20 09:00 UTC',
    'a1  call: once, Fri 2026-11-20 09:00 UTC; paused',
    'a1  news: weekdays at 9am (UTC); over',
  ]);
});

test('a job that was made says what its schedule was read as, and where its results go', () => {
  const ticker = { kind: 'gateway', pid: 1, host: 'h', since: '', msSinceLook: 0 } as const;
  const describe = (job: JobView): string | undefined => cronAdd.describe?.({ ...job, tickers: [ticker] });
  assert.equal(
    describe({ ...JOB, home: 'telegram:7' }),
    'Job a1: news\nSchedule: weekdays at 9am (0 9 * * 1-5, UTC)\nNext run: Fri 2026-11-20 09:00 UTC\nResults: home channel telegram:7\nFolder: terminal.cwd if that is a full path, otherwise one of its own; to choose one: hermes cron edit a1 --cwd FOLDER',
  );
  assert.match(describe(JOB) ?? '', /\nResults: the home channel once one is set; until then only a file\n/);
});

test('what to type next is named as the place has it', () => {
  assert.equal(cronList.describe?.([], 'chat'), 'There are no scheduled jobs. To make one: /cron add "weekdays at 9am" "What to do"');
  assert.match(cronList.describe?.([]) ?? '', /: hermes cron add /);
  assert.equal(cronPause.describe?.(JOB, 'terminal'), 'Paused a1 (news). To go on: /cron resume a1');
});

test('nobody is told to start what has nothing to do', () => {
  const idle: CronStatus = { ok: true, tickers: [], jobs: { scheduled: 0, paused: 1 }, running: [], failing: [], zone: 'UTC' };
  assert.match(cronStatus.describe?.(idle) ?? '', /^No process runs jobs now, and there are none to run\.\nJobs: 0 scheduled/);
  const waiting = { ...idle, jobs: { scheduled: 1, paused: 0 } };
  assert.match(cronStatus.describe?.(waiting) ?? '', /^No process runs jobs now: start one with hermes gateway start/);
});

test('a job that was removed is not scheduled any more', async () => {
  const { nextWords: _words, ...rest } = JOB;
  const remove = async (): Promise<JobView> => ({ ...JOB, nextAt: '2026-11-20T09:00:00.000Z' });
  assert.deepEqual(await cronRemove.run?.({ job: 'a1' }, { jobs: { remove } } as never, {} as never), { ...rest, state: 'removed' });
});
