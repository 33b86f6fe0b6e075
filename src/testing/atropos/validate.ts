import { isObject } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';

export interface Problem {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}
type Check = (value: Json | undefined, loc: readonly (string | number)[]) => readonly Problem[];

const problem = (type: string, loc: readonly (string | number)[], msg: string): readonly Problem[] => [{ type, loc, msg }];
const listOf =
  (check: Check): Check =>
  (value, loc) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => check(item, [...loc, index]))
      : problem('list_type', loc, 'Input should be a valid list');
const integer: Check = (value, loc) =>
  typeof value === 'number' && Number.isInteger(value) ? [] : problem('int_parsing', loc, 'Input should be a valid integer');
const float: Check = (value, loc) => (typeof value === 'number' ? [] : problem('float_parsing', loc, 'Input should be a valid number'));
const optional =
  (check: Check): Check =>
  (value, loc) =>
    value === undefined || value === null ? [] : check(value, loc);
const object: Check = (value, loc) => (isObject(value) ? [] : problem('dict_type', loc, 'Input should be a valid dictionary'));
const text: Check = (value, loc) => (typeof value === 'string' ? [] : problem('string_type', loc, 'Input should be a valid string'));
/** One message without a role or a content spoils all of them. */
const messages: Check = (value, loc) => {
  const all = Array.isArray(value) ? value.flat() : [];
  return all.every((message) => isObject(message) && 'role' in message && 'content' in message)
    ? []
    : problem('value_error', loc, "Value error, Message must have 'role' and 'content' fields");
};

const REQUIRED: Readonly<Record<string, Check>> = {
  tokens: listOf(listOf(integer)),
  masks: listOf(listOf(integer)),
  scores: listOf(float),
};
const OPTIONAL: Readonly<Record<string, Check>> = {
  advantages: listOf(listOf(float)),
  ref_logprobs: listOf(listOf(float)),
  messages,
  generation_params: object,
  inference_logprobs: listOf(listOf(float)),
  overrides: listOf(object),
  group_overrides: object,
  env_id: integer,
};
/** The keys a trainer gets back; what was not sent is null. */
export const GROUP_KEYS = [...Object.keys(REQUIRED), ...Object.keys(OPTIONAL), 'images', 'distill_token_ids', 'distill_logprobs'];

const REGISTRATION: Readonly<Record<string, Check>> = { max_token_length: integer, desired_name: text, weight: float, group_size: integer };

const checkFields = (
  value: Json | undefined,
  required: Readonly<Record<string, Check>>,
  loc: readonly (string | number)[],
): readonly Problem[] =>
  Object.entries(required).flatMap(([key, check]) => {
    const field = isObject(value) ? value[key] : undefined;
    return field === undefined ? problem('missing', [...loc, key], 'Field required') : check(field, [...loc, key]);
  });

export const checkGroup = (value: Json | undefined, loc: readonly (string | number)[] = ['body']): readonly Problem[] => [
  ...checkFields(value, REQUIRED, loc),
  ...Object.entries(OPTIONAL).flatMap(([key, check]) => optional(check)(isObject(value) ? value[key] : undefined, [...loc, key])),
];
export const checkRegistration = (value: Json | undefined): readonly Problem[] => checkFields(value, REGISTRATION, ['body']);
