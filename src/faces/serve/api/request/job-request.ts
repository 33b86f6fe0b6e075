import type { Json, JsonObject } from '../../../../base/json-types.ts';
import type { JobRequest } from '../../../../contracts/services/jobs.ts';
import type { ApiContext, ApiKey } from '../http/contract.ts';
import { ApiError, createBadRequest } from '../http/errors.ts';
import { requireJob } from './access.ts';
import { readFlag, readList, readText } from './read-body.ts';

const MAX_PROMPT = 50_000;
const MAX_ITEMS = 50;
const MAX_WORD = 500;

/** Files of this machine, models and chats are the owner's to choose. */
const OWNERS_FIELDS = ['script', 'no_agent', 'workdir', 'model', 'provider', 'skills', 'skill', 'deliver'] as const;

/** What a body says of a job: what is left out is not there. */
export async function readJobRequest(body: JsonObject, key: ApiKey, context: Pick<ApiContext, 'jobs'>): Promise<JobRequest> {
  const given = key.isMain ? undefined : OWNERS_FIELDS.find((field) => (body[field] ?? null) !== null && !isLocal(field, body[field]));
  if (given !== undefined) throw new ApiError(403, 'field_not_allowed', `Only the owner's key may set "${given}".`, { param: given });
  const contextFrom = readWords(body, 'context_from');
  // By its id: another's job is as unknown as one that is not there.
  for (const id of contextFrom ?? []) await requireJob(id, key, context);
  return dropAbsent({
    schedule: readText(body, 'schedule', MAX_WORD),
    prompt: readText(body, 'prompt', MAX_PROMPT),
    name: readText(body, 'name', MAX_WORD),
    zone: readText(body, 'timezone', MAX_WORD),
    script: readText(body, 'script', MAX_WORD),
    noAgent: readFlag(body, 'no_agent'),
    cwd: readText(body, 'workdir', MAX_WORD),
    model: readText(body, 'model', MAX_WORD),
    provider: readText(body, 'provider', MAX_WORD),
    skills: readWords(body, 'skills') ?? readWords(body, 'skill'),
    toolsets: readWords(body, 'enabled_toolsets'),
    deliver: key.isMain ? readWords(body, 'deliver') : undefined,
    contextFrom,
    repeat: readRepeat(body['repeat']),
    misfire: readMisfire(body),
  });
}

const isLocal = (field: string, value: Json | undefined): boolean => field === 'deliver' && value === 'local';

type Absent<Values> = { readonly [Name in keyof Values]: Values[Name] | undefined };
const dropAbsent = (values: Absent<JobRequest>): JobRequest =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** One word or several. */
function readWords(body: JsonObject, name: string): readonly string[] | undefined {
  if (typeof body[name] === 'string') return [readText(body, name, MAX_WORD) ?? ''];
  return readList(body, name, MAX_ITEMS)?.map((item) => {
    if (typeof item !== 'string' || item.length > MAX_WORD)
      throw createBadRequest('invalid_value', `"${name}" must be a list of names.`, name);
    return item;
  });
}

const REPEATS: ReadonlyMap<Json, number> = new Map<Json, number>([
  ['forever', 0],
  ['once', 1],
]);

function readRepeat(value: Json | undefined): number | undefined {
  if (value === undefined || value === null) return undefined;
  const repeat = REPEATS.get(value) ?? value;
  if (typeof repeat !== 'number' || !Number.isInteger(repeat) || repeat < 0)
    throw createBadRequest('invalid_value', '"repeat" must be a whole number, "once" or "forever".', 'repeat');
  return repeat;
}

function readMisfire(body: JsonObject): JobRequest['misfire'] {
  const value = readText(body, 'misfire', MAX_WORD);
  if (value === undefined || value === 'run_once' || value === 'skip') return value;
  throw createBadRequest('invalid_value', '"misfire" must be "run_once" or "skip".', 'misfire');
}
