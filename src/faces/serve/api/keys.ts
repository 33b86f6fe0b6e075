import type { Env } from '../../../base/env.ts';
import { isObject } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import { MAIN_OWNER } from '../../../contracts/run-store.ts';
import type { ApiKey, KeyBudget } from './http/contract.ts';
import { API_PLATFORM } from './request/access.ts';

export interface ReadKeys {
  readonly keys: readonly ApiKey[];
  /** What is wrong with keys that do not count, and what to do. */
  readonly problems: readonly string[];
}

export const MAIN_KEY_VARIABLE = 'API_SERVER_KEY';
const MIN_LENGTH = 16;

/** What to type when there is no key. */
export const NO_KEY_ADVICE = `Set one: openssl rand -hex 32 | hermes config set ${MAIN_KEY_VARIABLE} --secret`;

export interface KeySettings {
  readonly 'gateway.api_server.keys': Readonly<Record<string, unknown>>;
  readonly platform_toolsets: Readonly<Record<string, unknown>>;
}

/**
 * The owner's key and those in the settings. A key that is too easy to guess, that two names share, or whose limits cannot be
 * read counts as none. `isWalled`: their commands run behind a wall.
 */
export function readApiKeys(settings: KeySettings, env: Env, isWalled: boolean): ReadKeys {
  const main: ApiKey = { name: MAIN_OWNER, key: env[MAIN_KEY_VARIABLE] ?? '', isMain: true, mayApprove: true, hasMemory: true };
  const problems: string[] = [];
  const found = [
    ...(main.key === '' ? [] : [main]),
    ...Object.entries(settings['gateway.api_server.keys']).flatMap(([name, row]) => {
      const read = readNamedKey(name, row, settings, { env, isWalled });
      if (typeof read !== 'string') return [read];
      problems.push(`gateway.api_server.keys.${name}: ${read}`);
      return [];
    }),
  ];
  const keys = found.filter((each, index) => {
    const problem = findProblem(each, found.slice(0, index));
    if (problem !== undefined) problems.push(problem);
    return problem === undefined;
  });
  return { keys, problems };
}

/** The key, or why it does not count. */
function readNamedKey(
  name: string,
  row: unknown,
  { platform_toolsets: chosen }: KeySettings,
  { env, isWalled }: { readonly env: Env; readonly isWalled: boolean },
): ApiKey | string {
  if (name === MAIN_OWNER) return `"${MAIN_OWNER}" is the name of ${MAIN_KEY_VARIABLE}. Choose another.`;
  const fields: JsonObject = isObject(row) ? row : {};
  const { key_env: variable = '', toolsets, approve, memory } = fields;
  if (typeof variable !== 'string' || variable === '')
    return 'key_env does not name a variable. Set one: hermes config set NAME_API_KEY --secret';
  const key = env[variable] ?? '';
  if (key === '') return `the variable ${variable} is not set. Set it: hermes config set ${variable} --secret`;
  const odd = Object.entries(fields).find(([field, value]) => value === undefined || FIELDS[field]?.isFine(value) !== true);
  if (odd !== undefined) return describeOdd(odd[0]);
  const budget = readBudget(fields);
  const hasMemory = memory === true;
  // Whoever may not see what is the owner's gets no tool that tells it, unless the owner names toolsets.
  const isGuest = !hasMemory && !Object.hasOwn(chosen, API_PLATFORM);
  const tools = Array.isArray(toolsets)
    ? toolsets.filter((each) => typeof each === 'string')
    : isGuest
      ? isWalled
        ? WALLED_GUESTS
        : UNWALLED_GUESTS
      : undefined;
  return {
    name,
    key,
    isMain: false,
    mayApprove: approve === true,
    hasMemory,
    ...(tools !== undefined && { toolsets: tools }),
    ...(Object.keys(budget).length > 0 && { budget }),
  };
}

const WALLED_GUESTS: readonly string[] = ['hermes-api-guest'];
/** Without a wall no commands and files. */
const UNWALLED_GUESTS: readonly string[] = ['web', 'vision'];

interface KeyField {
  readonly isFine: (value: Json) => boolean;
  readonly must: string;
}
const FLAG: KeyField = { isFine: (value) => typeof value === 'boolean', must: 'be true or false' };
const LIMIT: KeyField = { isFine: (value) => typeof value === 'number' && value >= 0, must: 'be a number, 0 for no limit' };
/** A limit that is misspelled would be no limit. */
const FIELDS: Readonly<Record<string, KeyField>> = {
  key_env: { isFine: () => true, must: 'name a variable' },
  toolsets: {
    isFine: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
    must: 'be a list, as in [web, todo]',
  },
  budget_usd: LIMIT,
  budget_tokens: LIMIT,
  approve: FLAG,
  memory: FLAG,
};

const describeOdd = (field: string): string =>
  Object.hasOwn(FIELDS, field)
    ? `${field} must ${FIELDS[field]?.must}, so the key does not count.`
    : `there is no field ${field}, so the key does not count. There are ${Object.keys(FIELDS).join(', ')}.`;

const readBudget = ({ budget_usd: usd, budget_tokens: tokens }: JsonObject): KeyBudget => ({
  ...(typeof usd === 'number' && usd > 0 && { usd }),
  ...(typeof tokens === 'number' && tokens > 0 && { tokens }),
});

function findProblem({ name, key }: ApiKey, before: readonly ApiKey[]): string | undefined {
  if (key.length < MIN_LENGTH) return `the API key "${name}" has fewer than ${MIN_LENGTH} characters and does not count. ${NO_KEY_ADVICE}`;
  if (/\s/.test(key)) return `the API key "${name}" contains a space and does not count. ${NO_KEY_ADVICE}`;
  const same = before.find((other) => other.key === key);
  return same && `the API key "${name}" is the same as "${same.name}" and does not count. Give it another.`;
}
