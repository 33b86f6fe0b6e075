import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../base/errors.ts';
import { takeStart } from '../../base/text.ts';
import { isTimeZone } from '../../base/zoned-time.ts';
import type { ChatTarget } from '../../contracts/gateway-store.ts';
import type { JobDefinition, JobSchedule } from '../../contracts/job-store.ts';
import type { JobKey, JobRequest } from '../../contracts/services/jobs.ts';
import { findScript } from './run-script.ts';
import type { ScheduleContext } from './schedule/combine.ts';
import { parseSchedule, splitSchedule } from './schedule/parse.ts';

export interface DefineContext {
  readonly now: number;
  readonly zone: string;
  /** The profile's folder. */
  readonly root: string;
  readonly origin?: ChatTarget;
  /** The key of a program that makes or changes it. */
  readonly key?: JobKey;
  /** The id of the job that is meant. */
  findJobId(ref: string): Promise<string>;
  /** Why results cannot go to a target; `undefined` when they can. */
  checkTarget(target: string): Promise<string | undefined>;
  /** Why there are no such toolsets, or why they go beyond others. */
  checkToolsets(names: readonly string[], within?: readonly string[]): string | undefined;
}

/** More skills than these are not loaded with one message. */
const MAX_SKILLS = 5;
const SKILL = /^[a-z0-9_-]{1,64}$/;
const MAX_NAME = 50;

/** A new definition out of what was asked for and, where a job is changed, what it was. */
export async function defineJob(request: JobRequest, before: JobDefinition | undefined, context: DefineContext): Promise<JobDefinition> {
  const { prompt = before?.prompt ?? '', schedule, said } = readTiming(request, before, context);
  const work = { prompt, script: readText(request.script, before?.script), noAgent: request.noAgent ?? before?.noAgent ?? false };
  checkWork(work, context);
  const { script, noAgent } = work;
  const repeat = readRepeat(request.repeat, before?.repeat, schedule);
  const origin = before?.origin ?? context.origin;
  const misfire = request.misfire ?? before?.misfire;
  const key = before === undefined ? context.key?.name : before.key;
  return {
    name: readText(request.name, before?.name) ?? takeStart((prompt.trim() || script || 'job').replaceAll(/\s+/g, ' '), MAX_NAME),
    schedule,
    said,
    prompt,
    ...(script !== undefined && { script }),
    ...(noAgent && { noAgent }),
    ...(await readLists(request, before, context)),
    ...readPlace(request, before),
    deliver: await readTargets(request.deliver, before?.deliver, context),
    ...(origin !== undefined && { origin }),
    ...(repeat !== undefined && { repeat }),
    ...(misfire !== undefined && { misfire }),
    ...(key !== undefined && { key }),
  };
}

async function readLists(
  request: JobRequest,
  before: JobDefinition | undefined,
  { findJobId, checkToolsets, key }: DefineContext,
): Promise<Pick<JobDefinition, 'skills' | 'contextFrom' | 'toolsets'>> {
  const [skills, toolsets] = [readList(request.skills, before?.skills), readList(request.toolsets, before?.toolsets)];
  if (skills.length > MAX_SKILLS) throw new UsageError(`a job has at most ${MAX_SKILLS} skills.`);
  const odd = skills.find((skill) => !SKILL.test(skill));
  if (odd !== undefined) throw new UsageError(`"${odd}" is not the name of a skill; hermes skills list shows them.`);
  const unknown = checkToolsets(toolsets, key?.toolsets);
  if (unknown !== undefined) throw new UsageError(unknown);
  const contextFrom =
    request.contextFrom === undefined ? (before?.contextFrom ?? []) : await Promise.all(readList(request.contextFrom, []).map(findJobId));
  return {
    ...(skills.length > 0 && { skills }),
    ...(contextFrom.length > 0 && { contextFrom }),
    ...(toolsets.length > 0 && { toolsets }),
  };
}

/** An empty text takes something away. */
const readText = (given: string | undefined, before: string | undefined): string | undefined =>
  given === undefined ? before : given.trim() === '' ? undefined : given.trim();
const readList = (given: readonly string[] | undefined, before: readonly string[] | undefined): readonly string[] =>
  (given ?? before ?? [])
    .flatMap((item) => item.split(','))
    .map((item) => item.trim())
    .filter((item) => item !== '');

interface ReadTiming {
  readonly schedule: JobSchedule;
  readonly said: string;
  readonly prompt?: string;
}

function readTiming(request: JobRequest, before: JobDefinition | undefined, { now, zone: usual }: DefineContext): ReadTiming {
  const { zone } = request;
  if (zone !== undefined && !isTimeZone(zone)) throw new UsageError(`there is no time zone ${zone}. Write one such as Europe/Paris.`);
  const context = { now, zone: zone ?? usual };
  const { said, prompt } = findWords(request, before, context);
  if (said === undefined) {
    if (before === undefined) throw new UsageError('a job needs a schedule.');
    return { schedule: before.schedule, said: before.said, ...(prompt !== undefined && { prompt }) };
  }
  const read = parseSchedule(said, context);
  if (!read.ok) throw new UsageError(read.why + suggestQuotes(said, prompt, context));
  if (zone !== undefined && read.zone !== undefined && read.zone !== zone)
    throw new UsageError(`the schedule "${said}" names ${read.zone}, and the time zone is to be ${zone}. Name one of them.`);
  return { schedule: read.schedule, said, ...(prompt !== undefined && { prompt }) };
}

/** The words of a schedule that is to be read; none where it stays. */
function findWords(
  { schedule, line, prompt, zone }: JobRequest,
  before: JobDefinition | undefined,
  context: ScheduleContext,
): { readonly said?: string | undefined; readonly prompt?: string | undefined } {
  if (line !== undefined) {
    const split = splitSchedule(line, context);
    if (!split.ok) throw new UsageError(split.why);
    return split;
  }
  if (schedule !== undefined || zone === undefined || before === undefined) return { said: schedule, prompt };
  return { said: movesWithZone(before.said, context.now) ? before.said : undefined, prompt };
}

/**
 * Whether a schedule means another time in another zone. A delay or a rhythm does not: read again, it would begin anew. Words that
 * count from the day they were typed on would mean another day.
 */
function movesWithZone(said: string, now: number): boolean {
  const read = (at: number, zone: string) => parseSchedule(said, { now: at, zone });
  const here = read(0, 'UTC');
  if (here.ok && here.zone !== undefined) return true;
  if (here.ok && isDeepStrictEqual(here, read(0, 'Asia/Tokyo'))) return false;
  if (isDeepStrictEqual(here, read(now, 'UTC'))) return true;
  throw new UsageError(`"${said}" was meant from when it was typed. Give the schedule together with its new time zone.`);
}

/** A schedule of several words in a shell, without quotes. */
function suggestQuotes(said: string, prompt: string | undefined, context: ScheduleContext): string {
  const split = prompt === undefined ? undefined : splitSchedule(`${said} ${prompt}`, context);
  return split?.ok === true ? ` If the schedule is "${split.said}", write all of it in quotes.` : '';
}

function checkWork(
  { prompt, script, noAgent }: { prompt: string; script: string | undefined; noAgent: boolean },
  { root }: DefineContext,
): void {
  if (prompt.trim() === '' && script === undefined) throw new UsageError('a job needs a prompt or a script: what is it to do?');
  if (noAgent && script === undefined) throw new UsageError('a job without an agent needs a script.');
  const found = script === undefined ? undefined : findScript(script, root);
  if (found !== undefined && 'why' in found) throw new UsageError(found.why);
}

/** What runs once is not repeated. */
function readRepeat(given: number | undefined, before: number | undefined, schedule: JobSchedule): number | undefined {
  const repeat = given ?? before;
  if (repeat !== undefined && (!Number.isInteger(repeat) || repeat < 0))
    throw new UsageError('repeat is a whole number: how often it runs in all; 0 means forever.');
  return repeat === undefined || repeat === 0 || schedule.kind === 'once' ? undefined : repeat;
}

async function readTargets(
  given: readonly string[] | undefined,
  before: readonly string[] | undefined,
  { checkTarget }: DefineContext,
): Promise<readonly string[]> {
  const targets = readList(given, before);
  if (given === undefined && before !== undefined) return before;
  for (const target of targets) {
    if (['origin', 'local'].includes(target.toLowerCase())) continue;
    const why = await checkTarget(target);
    if (why !== undefined) throw new UsageError(`results cannot go to ${target}: ${why}`);
  }
  return targets.length === 0 ? ['origin'] : targets.map((target) => (/^(?:origin|local)$/i.test(target) ? target.toLowerCase() : target));
}

function readPlace(request: JobRequest, before: JobDefinition | undefined): Pick<JobDefinition, 'model' | 'provider' | 'cwd'> {
  const [model, provider, cwd] = [
    readText(request.model, before?.model),
    readText(request.provider, before?.provider),
    readText(request.cwd, before?.cwd),
  ];
  if (
    request.cwd !== undefined &&
    cwd !== undefined &&
    !(isAbsolute(cwd) && statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true)
  )
    throw new UsageError(`${cwd} is not a folder. Name one by its full path.`);
  return { ...(model !== undefined && { model }), ...(provider !== undefined && { provider }), ...(cwd !== undefined && { cwd }) };
}
