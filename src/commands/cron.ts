import { UsageError } from '../base/errors.ts';
import { toVisibleLine } from '../base/visible.ts';
import type { CommandContext, CommandSurface } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { JobMaker, JobRequest, JobView } from '../contracts/services/jobs.ts';

export const CRON_FACTS = { category: 'jobs', where: ['shell', 'terminal', 'chat'], whileBusy: 'run', needs: ['jobs'] } as const;
/** A job works with nobody watching, so making one is the owner's. */
export const OWNERS_CRON_FACTS = { ...CRON_FACTS, ownerOnly: true } as const;
export const JOB_REF = { kind: 'text', required: true, description: 'a job: its id, the first characters of it, or its name' } as const;

const OPTIONS = {
  name: { kind: 'text', description: 'what the job is called; the beginning of its prompt when left out' },
  deliver: {
    kind: 'list',
    placeholder: 'target',
    description: 'where results go: origin (the chat it was made in, else the home channel), local, or a chat such as telegram:#name',
  },
  skill: { kind: 'list', completes: 'skill', description: 'a skill to load; may be repeated' },
  script: { kind: 'text', description: 'a file in the folder scripts of the profile; what it prints is given to the agent' },
  agent: {
    kind: 'choice',
    choices: ['yes', 'no'],
    placeholder: 'yes|no',
    description: 'no: what the script prints is the result, and no model is asked',
  },
  contextFrom: { kind: 'list', placeholder: 'job', description: 'a job whose latest result is given to the agent; may be repeated' },
  model: { kind: 'text', letter: 'm', completes: 'model', description: 'the model of this job' },
  provider: { kind: 'text', completes: 'provider', description: 'the provider of this job' },
  toolsets: { kind: 'text', letter: 't', description: 'toolsets, separated by commas' },
  cwd: {
    kind: 'text',
    completes: 'folder',
    placeholder: 'folder',
    description: 'the folder it works in; terminal.cwd if that is a full path, else one of its own, when left out',
  },
  repeat: { kind: 'whole_number', placeholder: 'n', description: 'how often it runs in all; 0: forever' },
  misfire: {
    kind: 'choice',
    choices: ['run_once', 'skip'],
    placeholder: 'run_once|skip',
    description: 'times that passed while nothing could run it: one run makes up for them, or none',
  },
  zone: { kind: 'text', description: 'the time zone of the schedule, such as Europe/Paris' },
} as const;

/** Options as they are typed, as a request. */
interface TypedOptions extends Pick<
  JobRequest,
  'name' | 'deliver' | 'script' | 'contextFrom' | 'model' | 'provider' | 'cwd' | 'repeat' | 'misfire' | 'zone'
> {
  readonly skill?: readonly string[];
  readonly agent?: 'yes' | 'no';
  readonly toolsets?: string;
}
const toRequest = ({ skill, agent, toolsets, ...rest }: TypedOptions): JobRequest => ({
  ...rest,
  ...(skill !== undefined && { skills: skill }),
  ...(agent !== undefined && { noAgent: agent === 'no' }),
  ...(toolsets !== undefined && { toolsets: [toolsets] }),
});

export const cronList = defineCommand({
  ...CRON_FACTS,
  slash: ['cron', 'cron list'],
  name: 'cron list',
  summary: 'List scheduled jobs',
  options: { all: { kind: 'flag', description: 'include those that are over' } },
  json: 'one JSON array',
  examples: ['hermes cron list', "hermes cron list --json | jq -r '.[].next_at'"],
  run: ({ all }, { jobs }) => jobs.list({ all: all === true }),
  describe: (rows, place) => rows.map(describeJobLine).join('\n') || describeNoJobs(place),
});
const nameHere = (command: string, place: CommandSurface = 'shell'): string => `${place === 'shell' ? 'hermes ' : '/'}${command}`;
export const describeNoJobs = (place?: CommandSurface): string =>
  `There are no scheduled jobs. To make one: ${nameHere('cron add "weekdays at 9am" "What to do"', place)}`;

export function describeState({ state, nextWords, pausedWhy, lastRun }: JobView): string {
  if (state === 'paused') return `paused${pausedWhy === undefined ? '' : `: ${pausedWhy}`}`;
  if (state === 'completed') return 'over';
  return lastRun?.state === 'running' ? 'running now' : (nextWords ?? 'over soon');
}

/** As it was typed, where that was words: `weekdays at 9am (Europe/Paris)`. */
export const describeTiming = ({ timing, said, schedule }: JobView): string =>
  timing.kind === 'cron' && isInWords(said) ? `${said} (${timing.zone})` : schedule;
/** No cron expression, which has five places and no word longer than the name of a day or a month. */
const isInWords = (said: string): boolean => /[a-z]{4}/i.test(said) || said.trim().split(/\s+/).length !== 5;

/** For a text without columns. What runs once says when already. */
function describeJobLine(job: JobView): string {
  const { timing, state, lastRun } = job;
  const isToldBySchedule = timing.kind === 'once' && state === 'scheduled' && lastRun?.state !== 'running';
  const next = isToldBySchedule ? '' : `; ${state === 'scheduled' && lastRun?.state !== 'running' ? 'next: ' : ''}${describeState(job)}`;
  return toVisibleLine(`${job.id}  ${job.name}: ${describeTiming(job)}${next}`);
}

export const NO_TICKER = 'No process runs jobs now: start one with hermes gateway start, or run what is due with hermes cron run-due.';

const describeJob = (job: JobView): string =>
  [
    `Job ${job.id}: ${job.name}`,
    `Schedule: ${describeExactTiming(job)}`,
    job.state === 'scheduled' ? `Next run: ${job.nextWords ?? 'none'}` : `State: ${describeState(job)}`,
    `Results: ${job.deliver.map((target) => (target === 'origin' ? (job.origin ?? describeHome(job)) : target)).join(', ')}`,
    `Folder: ${job.cwd ?? `terminal.cwd if that is a full path, otherwise one of its own; to choose one: hermes cron edit ${job.id} --cwd FOLDER`}`,
    ...(job.repeat === undefined ? [] : [`Runs: ${job.runs} of ${job.repeat}`]),
  ]
    .map(toVisibleLine)
    .join('\n');

/** Words with what they were read as. */
const describeExactTiming = ({ timing, said, schedule }: JobView): string =>
  timing.kind === 'cron' && isInWords(said) ? `${said} (${timing.expression}, ${timing.zone})` : schedule;
const describeHome = ({ home }: JobView): string =>
  home === undefined ? 'the home channel once one is set; until then only a file' : `home channel ${home}`;

export const cronAdd = defineCommand({
  ...OWNERS_CRON_FACTS,
  name: 'cron add',
  aliases: ['cron create'],
  summary: 'Make a scheduled job',
  arguments: {
    schedule: {
      kind: 'text',
      required: true,
      description:
        '30m (once), "every 2h", "weekdays at 9am and 5pm", "tomorrow at 9am", a cron expression in quotes, or a time such as 2027-02-03T14:00',
    },
    prompt: { kind: 'text', prose: true, description: 'what to do; the job does not see any conversation' },
  },
  options: OPTIONS,
  json: 'as JSON',
  examples: [
    'hermes cron add "weekdays at 9am" "Summarize the news on TypeScript"',
    'hermes cron add "every 2h" "Is the build green? If so, answer [SILENT]." --cwd ~/project',
    'hermes cron add 30m "Remind me to call back"',
  ],
  run: async ({ schedule, prompt, ...options }, { jobs }, { chat, place }) => ({
    ...(await jobs.add({ ...toRequest(options), ...toTiming(schedule, prompt, place) }, makerOf(chat))),
    tickers: (await jobs.status()).tickers,
  }),
  describe: (job) => [describeJob(job), ...(job.tickers.length === 0 ? [NO_TICKER] : [])].join('\n'),
});

/** In one line, a schedule without quotes is only its first word. A shell has arguments. */
const toTiming = (
  schedule: string,
  prompt: string | undefined,
  place: CommandSurface,
): { readonly schedule: string; readonly prompt?: string } | { readonly line: string } =>
  place === 'shell' || /\s/.test(schedule)
    ? { schedule, ...(prompt !== undefined && { prompt }) }
    : { line: [schedule, ...(prompt === undefined ? [] : [prompt])].join(' ') };

/** The chat it is typed in is where results go. */
const makerOf = (chat: CommandContext['chat']): JobMaker => ({ by: 'owner', ...(chat !== undefined && { chat }) });

export const cronEdit = defineCommand({
  ...OWNERS_CRON_FACTS,
  name: 'cron edit',
  aliases: ['cron update'],
  summary: 'Change a scheduled job; what is not named stays',
  arguments: { job: JOB_REF },
  options: {
    schedule: { kind: 'text', description: 'when it runs from now on' },
    prompt: { kind: 'text', description: 'what it does from now on' },
    ...OPTIONS,
  },
  json: 'as JSON',
  examples: ['hermes cron edit news --schedule "daily at 8am"', 'hermes cron edit news --deliver local'],
  run: async ({ job, schedule, prompt, ...options }, { jobs }, { chat }) => {
    const request = { ...toRequest(options), ...(schedule !== undefined && { schedule }), ...(prompt !== undefined && { prompt }) };
    if (Object.keys(request).length === 0) throw new UsageError('nothing to change was named. hermes cron edit --help lists what can be.');
    return jobs.change(job, request, makerOf(chat));
  },
  describe: describeJob,
});

export const cronPause = defineCommand({
  ...OWNERS_CRON_FACTS,
  name: 'cron pause',
  summary: 'Let a job rest until it is resumed',
  arguments: { job: JOB_REF, why: { kind: 'text', prose: true, description: 'a note on why' } },
  json: 'as JSON',
  examples: ['hermes cron pause news'],
  run: ({ job, why }, { jobs }) => jobs.pause(job, why),
  describe: ({ id, name }, place) => toVisibleLine(`Paused ${id} (${name}). To go on: ${nameHere(`cron resume ${id}`, place)}`),
});

export const cronResume = defineCommand({
  ...OWNERS_CRON_FACTS,
  name: 'cron resume',
  summary: 'Go on with a paused job; times that passed meanwhile are not run',
  arguments: { job: JOB_REF },
  json: 'as JSON',
  examples: ['hermes cron resume news'],
  run: ({ job }, { jobs }) => jobs.resume(job),
  describe: describeJob,
});

export const cronRemove = defineCommand({
  ...OWNERS_CRON_FACTS,
  name: 'cron remove',
  aliases: ['cron delete'],
  summary: 'Remove a job; its results and its history stay for 90 days',
  arguments: { job: JOB_REF },
  options: { yes: { kind: 'flag', letter: 'y', description: 'remove it without asking' } },
  json: 'as JSON',
  destructive: async ({ job }, { jobs }) => {
    const { id, name } = await jobs.show(job);
    return toVisibleLine(`the job ${id} (${name})`);
  },
  examples: ['hermes cron remove news --yes'],
  run: async ({ job }, { jobs }) => {
    const { nextAt: _at, nextWords: _words, ...removed } = await jobs.remove(job);
    return { ...removed, state: 'removed' as const };
  },
  describe: ({ id, name }) => toVisibleLine(`Removed ${id} (${name}).`),
});
