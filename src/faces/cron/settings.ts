import { ownersAlone, type SettingsSlice } from '../../contracts/settings.ts';

/** How scheduled jobs are run. */
export const cronSettings = ownersAlone({
  'cron.misfire': {
    kind: 'choice',
    default: 'run_once',
    choices: ['run_once', 'skip'],
    describe:
      'What happens to times of a job that passed while nothing could run it: one run makes up for all of them (`run_once`), or none does (`skip`). A job can say otherwise.',
  },
  'cron.model': { kind: 'string', default: '', describe: 'Model of jobs that name none. Empty means the usual one.' },
  'cron.provider': { kind: 'string', default: '', describe: 'Provider of jobs that name none. Empty means the usual one.' },
  'cron.max_parallel_jobs': {
    kind: 'integer',
    default: 4,
    min: 1,
    max: 50,
    env: 'HERMES_CRON_MAX_PARALLEL',
    describe: 'How many jobs one process runs at the same time.',
  },
  'cron.inactivity_timeout': {
    kind: 'number',
    default: 600,
    min: 0,
    env: 'HERMES_CRON_TIMEOUT',
    describe: 'Seconds without a sign of life after which a run is stopped. 0 means never.',
  },
  'cron.script_timeout_seconds': {
    kind: 'number',
    default: 3_600,
    min: 1,
    env: 'HERMES_CRON_SCRIPT_TIMEOUT',
    describe: 'Seconds after which the script of a job is ended.',
  },
  'cron.wrap_response': {
    kind: 'boolean',
    default: true,
    describe: 'Put a line with the name of the job above results that go to chats.',
  },
  'cron.output_retention': {
    kind: 'integer',
    default: 50,
    min: 1,
    max: 10_000,
    describe: 'How many results of each job are kept in cron/output.',
  },
} as const satisfies SettingsSlice);
