import { isObject, parseJson } from '../../base/json.ts';
import type { Json, JsonObject } from '../../contracts/message.ts';
import { suggestNames, splitNameWords } from './repair-name.ts';

export type RepairResult = { readonly ok: true; readonly input: JsonObject } | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Fits arguments to a tool's JSON Schema where the intent is plain ("42" for a number, "[1]" for a list, one item for a
 * list of items) and names every problem that is left, so that the model can mend all of them at once.
 */
export function repairInput(schema: JsonObject, value: Json): RepairResult {
  const problems: string[] = [];
  const input = fit(schema, value, '', problems);
  if (!isObject(input)) problems.push('the arguments must be an object');
  return problems.length === 0 && isObject(input) ? { ok: true, input } : { ok: false, problems };
}

/** Arguments without those the tool does not know, and without optional numbers out of their range; and what was left out, in words. */
export function dropStrays(schema: JsonObject, value: Json): { readonly input: Json; readonly dropped: readonly string[] } {
  if (!isObject(value) || !isObject(schema['properties'])) return { input: value, dropped: [] };
  const { properties, required, additionalProperties } = schema;
  const dropped: string[] = [];
  const kept = Object.entries(value).filter(([key, member]) => {
    const inner = isObject(properties) ? properties[key] : undefined;
    const problems: string[] = [];
    if (inner === undefined && additionalProperties === false) problems.push(`${key} is not a parameter`);
    if (isObject(inner) && !(Array.isArray(required) && required.includes(key)) && typeof member === 'number')
      checkValue(inner, member, key, problems);
    dropped.push(...problems);
    return problems.length === 0;
  });
  return { input: Object.fromEntries(kept), dropped };
}

function fit(schema: JsonObject, value: Json, path: string, problems: string[]): Json {
  if (value === 'null' && allowsNull(schema)) return null;
  const forms = formsOf(schema);
  if (forms.length > 0) return fitOneOf(forms, value, path, problems);
  const types = typesOf(schema);
  const coerced = types.some((type) => isA(type, value)) ? value : coerce(types, value);
  const type = types.find((candidate) => isA(candidate, coerced));
  if (type === undefined && types.length > 0) {
    problems.push(`${path || 'the arguments'} must be ${types.join(' or ')}, not ${describe(value)}`);
    return coerced;
  }
  checkValue(schema, coerced, path, problems);
  if (isObject(coerced)) return fitObject(schema, coerced, path, problems);
  return Array.isArray(coerced) ? fitItems(schema, coerced, path, problems) : coerced;
}

/** Several forms are allowed: the first the value can be fitted to. */
function fitOneOf(forms: readonly JsonObject[], value: Json, path: string, problems: string[]): Json {
  for (const form of forms) {
    const own: string[] = [];
    const fitted = fit(form, value, path, own);
    if (own.length === 0) return fitted;
  }
  problems.push(`${path || 'the arguments'} is ${describe(value)}, which is none of the ${forms.length} forms allowed`);
  return value;
}

function fitObject(schema: JsonObject, value: JsonObject, path: string, problems: string[]): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const fitted: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) {
    const inner = properties[key];
    if (member === undefined || (member === null && !required.includes(key) && !allowsNull(inner))) continue;
    fitted[key] = isObject(inner) ? fit(inner, member, join(path, key), problems) : member;
    if (inner === undefined && schema['additionalProperties'] === false)
      problems.push(`${join(path, key)} is not a parameter${nearKeys(key, properties)}`);
  }
  for (const key of required) if (typeof key === 'string' && fitted[key] === undefined) problems.push(`${join(path, key)} is missing`);
  return fitted;
}

const fitItems = (schema: JsonObject, value: readonly Json[], path: string, problems: string[]): Json[] => {
  const items = schema['items'];
  if (!isObject(items)) return [...value];
  const plain = typesOf(items).join() === 'string';
  return value.map((item, index) => fit(items, plain ? (labelOf(item) ?? item) : item, `${path}[${index}]`, problems));
};

/** Models like to describe a choice; where a list of plain words is wanted, its label is the word. */
const labelOf = (item: Json): string | undefined =>
  isObject(item)
    ? LABELS.map((key) => item[key]).find((label): label is string => typeof label === 'string' && label.trim() !== '')
    : undefined;
const LABELS = ['label', 'title', 'text', 'description'] as const;

function checkValue(schema: JsonObject, value: Json, path: string, problems: string[]): void {
  const { enum: choices, minimum, maximum, maxItems } = schema;
  if (Array.isArray(choices) && !choices.includes(value)) problems.push(`${path} must be one of ${choices.join(', ')}`);
  if (typeof value === 'number' && typeof minimum === 'number' && value < minimum) problems.push(`${path} must be at least ${minimum}`);
  if (typeof value === 'number' && typeof maximum === 'number' && value > maximum) problems.push(`${path} must be at most ${maximum}`);
  if (Array.isArray(value) && typeof maxItems === 'number' && value.length > maxItems)
    problems.push(`${path} takes at most ${maxItems} items`);
}

/** The first type that can make sense of the value wins; what cannot be coerced stays as it is. */
function coerce(types: readonly string[], value: Json): Json {
  for (const type of types) {
    const made = COERCIONS[type]?.(value);
    if (made !== undefined && isA(type, made)) return made;
  }
  return value;
}

const COERCIONS: Readonly<Record<string, (value: Json) => Json | undefined>> = {
  null: (value) => (value === 'null' ? null : undefined),
  integer: (value) => numeric(value),
  number: (value) => numeric(value),
  boolean: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
  string: (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined),
  array: (value) => {
    const parsed = typeof value === 'string' ? parseJson(value) : undefined;
    if (Array.isArray(parsed)) return parsed;
    return value === null ? undefined : [value];
  },
  object: (value) => (typeof value === 'string' ? parseJson(value) : undefined),
};

function numeric(value: Json): number | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function typesOf(schema: JsonObject): string[] {
  const { type, nullable } = schema;
  const named = Array.isArray(type)
    ? type.filter((each): each is string => typeof each === 'string')
    : typeof type === 'string'
      ? [type]
      : [];
  return nullable === true && named.length > 0 ? [...named, 'null'] : named;
}

function formsOf({ anyOf, oneOf }: JsonObject): JsonObject[] {
  const forms: readonly Json[] = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return forms.filter(isObject);
}

function isA(type: string, value: Json): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === type;
  }
}

const allowsNull = (schema: Json | undefined): boolean =>
  isObject(schema) && (typesOf(schema).includes('null') || formsOf(schema).some(allowsNull));
const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
const describe = (value: Json): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : JSON.stringify(value).slice(0, 60);
/** What may have been meant: a key that shares a word with it, or one that is spelt almost alike. */
function nearKeys(key: string, properties: JsonObject): string {
  const words = new Set(splitNameWords(key));
  const known = Object.keys(properties);
  const near = known.find((each) => splitNameWords(each).some((word) => words.has(word))) ?? suggestNames(key, known)[0];
  return `${near === undefined ? '' : `, did you mean ${near}?`} (there are: ${known.join(', ')})`;
}
