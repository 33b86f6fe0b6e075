import { isUsageError } from '../../base/errors.ts';
import type { AttachedText, SessionHandle } from '../../contracts/host.ts';
import type { JobDefinition, JobRun, JobStore, MissedInstants } from '../../contracts/job-store.ts';
import type { UserMessage } from '../../contracts/message.ts';
import { readOutput } from './output.ts';
import type { JobScriptResult } from './run-script.ts';
import { spellDuration, formatInstant } from './schedule/describe.ts';
import { graceOf } from './schedule/misfire.ts';

export interface ComposeDeps {
  readonly root: string;
  readonly zone: string;
  readonly now: number;
  readonly jobs: Pick<JobStore, 'find' | 'runs'>;
}
type ComposedRun = Pick<JobRun, 'instant' | 'trigger' | 'madeUpFor'> & { readonly job: JobDefinition };

/** What the agent is asked: the owner's words first, then what is to be known of this run; what others wrote is attached. */
export async function composeMessage(
  run: ComposedRun,
  script: JobScriptResult | undefined,
  handle: Pick<SessionHandle, 'message'>,
  deps: ComposeDeps,
): Promise<UserMessage> {
  const { prompt, skills = [], script: file = '', contextFrom = [] } = run.job;
  const loaded = await Promise.all(skills.map((name) => findSkill(name, handle)));
  const earlier = await Promise.all(contextFrom.map((id) => readEarlier(id, deps)));
  const facts = [
    describeRun(run, deps),
    ...loaded.flatMap(({ problem }) => problem ?? []),
    ...(script?.failure === undefined ? [] : [`The script ${file} failed: ${script.failure.why}`]),
    ...earlier.flatMap(({ problem }) => problem ?? []),
  ];
  const calls = loaded.flatMap(({ name }) => (name === undefined ? [] : [`/${name}`])).join(' ');
  const asked = [calls, prompt.trim()].filter((part) => part !== '').join('\n\n');
  // A skill is called by the first word of a message. Skills are the owner's: the words of a program are never the first.
  const parts = run.job.key === undefined ? [asked, facts.join('\n')] : [facts.join('\n'), asked];
  const words = parts.filter((part) => part !== '').join('\n\n');
  return handle.message(words, [...attachScript(file, script), ...earlier.flatMap(({ attached }) => attached ?? [])]);
}

function attachScript(file: string, script: JobScriptResult | undefined): readonly AttachedText[] {
  const { output = '', failure } = script ?? {};
  const texts = [
    { name: `output of ${file}`, text: output },
    { name: `errors of ${file}`, text: failure?.complaints ?? '' },
  ];
  return texts.filter(({ text }) => text !== '');
}

/** A skill that can be called, or what is said in its place. */
async function findSkill(
  name: string,
  handle: Pick<SessionHandle, 'message'>,
): Promise<{ readonly name?: string; readonly problem?: string }> {
  try {
    const { content } = await handle.message(`/${name}`);
    return content.length > 1 ? { name } : { problem: `The skill ${name} is not installed: work without it, and say so.` };
  } catch (error) {
    if (!isUsageError(error)) throw error;
    return { problem: `${error.message} Work without it, and say so.` };
  }
}

async function readEarlier(
  jobId: string,
  { jobs, root }: ComposeDeps,
): Promise<{ readonly attached?: AttachedText; readonly problem?: string }> {
  const [latest] = await jobs.runs({ jobId, states: ['done'], limit: 1 });
  const [job] = await jobs.find(jobId);
  const name = latest?.jobName ?? job?.definition.name ?? jobId;
  const text = latest?.result?.output === undefined ? undefined : readOutput(root, latest.result.output);
  return text === undefined
    ? { problem: `The job "${name}" has no result yet.` }
    : { attached: { name: `latest result of the job ${name}`, text } };
}

function describeRun({ instant, trigger, madeUpFor, job }: ComposedRun, { now, zone }: ComposeDeps): string {
  const name = JSON.stringify(job.name);
  if (trigger === 'asked') return `(Scheduled job ${name}, run now because it was asked for.)`;
  const late = now - instant;
  const parts = [
    `Scheduled job ${name}, due ${formatInstant(instant, zone)}`,
    ...(late > graceOf(job.schedule, instant) ? [`running ${spellDuration(late)} late`] : []),
    ...(madeUpFor === undefined ? [] : [`standing in for ${countMissed(madeUpFor)} since ${formatInstant(madeUpFor.from, zone)}`]),
  ];
  return `(${parts.join(', ')}.)`;
}

const countMissed = ({ count, isMore }: MissedInstants): string =>
  `${isMore === true ? 'more than ' : ''}${count} missed ${count === 1 ? 'run' : 'runs'}`;
