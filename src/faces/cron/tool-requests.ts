import { isUsageError } from '../../base/errors.ts';
import type { GatewayStore } from '../../contracts/gateway-store.ts';
import { MAIN_OWNER, type RunStore } from '../../contracts/run-store.ts';
import type { PortResult, ScheduleRequest } from '../../contracts/ports.ts';
import type { JobMaker, JobRequest, JobService, JobView, TickerView } from '../../contracts/services/jobs.ts';

type RunAction = (fields: ScheduleRequest['fields'], service: JobService, by: JobMaker) => Promise<string>;

/** What the tool `cronjob` can ask for, in words for the model. */
const ACTIONS: Readonly<Record<string, RunAction>> = {
  create: async (fields, service, by) => {
    const job = await service.add({ ...readRequest(fields), schedule: textOf(fields, 'schedule') ?? '' }, by);
    return `Created ${describeJob(job)}\n${describeTickers((await service.status()).tickers)}`;
  },
  list: async (_fields, service) => (await service.list()).map(describeJob).join('\n') || 'There are no jobs.',
  update: async (fields, service, by) => `Changed ${describeJob(await service.change(idOf(fields), readRequest(fields), by))}`,
  pause: async (fields, service) => `Paused ${describeJob(await service.pause(idOf(fields)))}`,
  resume: async (fields, service) => `Resumed ${describeJob(await service.resume(idOf(fields)))}`,
  remove: async (fields, service) => `Removed ${describeJob(await service.remove(idOf(fields)))}`,
  run: async (fields, service) => {
    const { job, tickers } = await service.ask(idOf(fields));
    return `A run of ${job.id} ("${job.name}") was asked for. ${tickers.length > 0 ? 'It starts in a moment, and its result is delivered.' : describeTickers(tickers)}`;
  },
};

export interface ScheduleDeps {
  /** Where it is asked for. */
  readonly sessionId: string;
  readonly gateway: Pick<GatewayStore, 'routes'>;
  readonly runs: Pick<RunStore, 'findOwner'>;
  readonly service: JobService;
}

/** Does what a model asks for. What cannot be done is told as such. */
export async function answerScheduleRequest(
  { action, fields }: ScheduleRequest,
  { sessionId, gateway, runs, service }: ScheduleDeps,
): Promise<PortResult> {
  const run = ACTIONS[action];
  if (run === undefined) return { ok: false, why: `there is no action "${action}".` };
  const [route] = await gateway.routes({ sessionId, limit: 1 });
  if (route !== undefined && route.facts['owner'] !== true)
    return { ok: false, why: 'others than the owner speak in this chat, and only the owner can change jobs.' };
  const key = (await runs.findOwner(sessionId))?.owner ?? MAIN_OWNER;
  // Such a job would outgrow what the key may do.
  if (key !== MAIN_OWNER) return { ok: false, why: `this session belongs to the API key "${key}"; its jobs are made with POST /api/jobs.` };
  try {
    return { ok: true, words: await run(fields, service, { by: 'model', sessionId }) };
  } catch (error) {
    if (isUsageError(error)) return { ok: false, why: error.message };
    throw error;
  }
}

const textOf = (fields: ScheduleRequest['fields'], key: string): string | undefined => {
  const value = fields[key];
  return typeof value === 'string' ? value : undefined;
};
const idOf = (fields: ScheduleRequest['fields']): string => textOf(fields, 'job_id') ?? '';

const TEXTS = { schedule: 'schedule', prompt: 'prompt', name: 'name', script: 'script', zone: 'timezone' } as const;
const LISTS = { skills: 'skills', toolsets: 'toolsets', contextFrom: 'context_from' } as const;

/** The model, its provider and the folder it works in are the owner's to choose. */
function readRequest(fields: ScheduleRequest['fields']): JobRequest {
  const { repeat, deliver, no_agent: noAgent, misfire } = fields;
  return {
    ...pickFields(TEXTS, (name) => textOf(fields, name)),
    ...pickFields(LISTS, (name) => listOf(fields, name)),
    ...(typeof repeat === 'number' && { repeat }),
    ...(typeof deliver === 'string' && { deliver: [deliver] }),
    ...(typeof noAgent === 'boolean' && { noAgent }),
    ...((misfire === 'run_once' || misfire === 'skip') && { misfire }),
  };
}

function listOf(fields: ScheduleRequest['fields'], key: string): readonly string[] | undefined {
  const value = fields[key];
  return Array.isArray(value) ? value.map(String) : undefined;
}

const pickFields = <Field extends string, Value>(
  names: Readonly<Record<Field, string>>,
  read: (name: string) => Value | undefined,
): Partial<Record<Field, Value>> => {
  const picked: Partial<Record<Field, Value>> = {};
  for (const field in names) {
    const value = read(names[field]);
    if (value !== undefined) picked[field] = value;
  }
  return picked;
};

function describeJob(job: JobView): string {
  const { id, name, schedule, state, nextWords, deliver } = job;
  const when = state === 'scheduled' ? `next run ${nextWords ?? 'under way'}` : state;
  const more = DETAILS.flatMap((describe) => describe(job) ?? []);
  return `job ${id} "${name}": ${[schedule, when, ...more].join('; ')}; results to ${deliver.join(', ')}.`;
}

/** What is said of a job only where it has it. */
const DETAILS: readonly ((job: JobView) => string | undefined)[] = [
  ({ skills }) => skills && `skills ${skills.join(', ')}`,
  ({ script, noAgent }) => script && `script ${script}${noAgent === true ? ' without an agent' : ''}`,
  ({ contextFrom }) => contextFrom && `context from ${contextFrom.join(', ')}`,
  ({ toolsets }) => toolsets && `toolsets ${toolsets.join(', ')}`,
  ({ repeat, runs }) => (repeat === undefined ? undefined : `run ${runs} of ${repeat} times`),
  ({ misfire }) => misfire && `misfire ${misfire}`,
];

const describeTickers = (tickers: readonly TickerView[]): string =>
  tickers.length > 0
    ? ''
    : 'Warning: no process runs jobs at the moment, so nothing will happen until the owner starts one: hermes gateway start. Tell the user.';
