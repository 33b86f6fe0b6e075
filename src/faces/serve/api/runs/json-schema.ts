import { isObject, toStableJson } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';

/**
 * The part of JSON Schema that structured outputs have, checked to the letter. `pattern` and `format` are told to the model and not
 * checked: a caller's expression is not run here.
 */
const TOLD_ONLY = ['$schema', '$id', 'title', 'description', 'default', 'examples', 'format', 'pattern', '$defs', 'definitions', 'strict'];

type KeywordCheck = (rule: Json, value: Json, at: string, root: JsonObject) => string | undefined;

/** Each keyword that is checked. A value of another type passes those that are about one type. */
const CHECKS: Readonly<Record<string, KeywordCheck>> = {
  type: (rule, value, at) => {
    const types = Array.isArray(rule) ? rule : [rule];
    return types.some((type) => isOfType(type, value)) ? undefined : `${at} must be ${types.join(' or ')}`;
  },
  enum: (rule, value, at) =>
    Array.isArray(rule) && rule.some((each) => isSame(each, value)) ? undefined : `${at} must be one of ${JSON.stringify(rule)}`,
  const: (rule, value, at) => (isSame(rule, value) ? undefined : `${at} must be ${JSON.stringify(rule)}`),
  required: (rule, value, at) => {
    const missing = isObject(value) && Array.isArray(rule) ? rule.find((name) => value[String(name)] === undefined) : undefined;
    return missing === undefined ? undefined : `${at} has no ${JSON.stringify(missing)}`;
  },
  properties: (rule, value, at, root) =>
    isObject(rule) && isObject(value)
      ? findFirst(Object.entries(rule), ([name, schema]) =>
          value[name] === undefined ? undefined : findFault(schema ?? true, value[name], `${at}.${name}`, root),
        )
      : undefined,
  items: (rule, value, at, root) =>
    Array.isArray(value) ? findFirst([...value.entries()], ([index, each]) => findFault(rule, each, `${at}[${index}]`, root)) : undefined,
  anyOf: (rule, value, at, root) => (countFits(rule, value, root) > 0 ? undefined : `${at} fits none of the forms allowed`),
  oneOf: (rule, value, at, root) => (countFits(rule, value, root) === 1 ? undefined : `${at} must fit exactly one of the forms allowed`),
  allOf: (rule, value, at, root) => (Array.isArray(rule) ? findFirst(rule, (each) => findFault(each, value, at, root)) : undefined),
  not: (rule, value, at, root) => (findFault(rule, value, at, root) === undefined ? `${at} has a form that is not allowed` : undefined),
  $ref: (rule, value, at, root) => findFault(resolveReference(rule, root) ?? true, value, at, root),
  minimum: limit('number', (value, rule) => value >= rule, 'at least'),
  maximum: limit('number', (value, rule) => value <= rule, 'at most'),
  exclusiveMinimum: limit('number', (value, rule) => value > rule, 'more than'),
  exclusiveMaximum: limit('number', (value, rule) => value < rule, 'less than'),
  multipleOf: limit('number', (value, rule) => Math.abs(value / rule - Math.round(value / rule)) < 1e-9, 'a multiple of'),
  minLength: limit('string', (value, rule) => value >= rule, 'of a length of at least'),
  maxLength: limit('string', (value, rule) => value <= rule, 'of a length of at most'),
  minItems: limit('array', (value, rule) => value >= rule, 'of a length of at least'),
  maxItems: limit('array', (value, rule) => value <= rule, 'of a length of at most'),
  additionalProperties: () => undefined,
};

/** The first thing in which a value does not fit. */
export function findSchemaFault(schema: JsonObject, value: Json): string | undefined {
  try {
    return findFault(schema, value, 'the answer', schema);
  } catch (error) {
    // Forms that refer to themselves through others.
    if (error instanceof RangeError) return 'the schema refers to itself without end';
    throw error;
  }
}

function findFault(schema: Json, value: Json, at: string, root: JsonObject): string | undefined {
  if (schema === false) return `${at} is not allowed`;
  if (!isObject(schema)) return undefined;
  return (
    findFirst(Object.entries(schema), ([keyword, rule]) =>
      Object.hasOwn(CHECKS, keyword) && rule !== undefined ? CHECKS[keyword]?.(rule, value, at, root) : undefined,
    ) ?? findStray(schema, value, at, root)
  );
}

/** Members that the schema does not name. */
function findStray({ properties, additionalProperties }: JsonObject, value: Json, at: string, root: JsonObject): string | undefined {
  if (additionalProperties === undefined || !isObject(value)) return undefined;
  const others = Object.entries(value).filter(([name]) => !(isObject(properties) && Object.hasOwn(properties, name)));
  return findFirst(others, ([name, each]) => findFault(additionalProperties, each ?? null, `${at}.${name}`, root));
}

function findFirst<Item>(items: readonly Item[], check: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = check(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const countFits = (forms: Json, value: Json, root: JsonObject): number =>
  Array.isArray(forms) ? forms.filter((form) => findFault(form, value, 'it', root) === undefined).length : 1;

function limit(of: 'number' | 'string' | 'array', isFine: (value: number, rule: number) => boolean, words: string): KeywordCheck {
  return (rule, value, at) => {
    const size =
      of === 'number'
        ? value
        : of === 'string' && typeof value === 'string'
          ? Array.from(value).length
          : Array.isArray(value)
            ? value.length
            : null;
    if (typeof size !== 'number' || typeof rule !== 'number' || !isOfType(of, value)) return undefined;
    return isFine(size, rule) ? undefined : `${at} must be ${words} ${rule}`;
  };
}

const TYPES: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: (value) => isObject(value),
};
const isOfType = (type: Json, value: Json): boolean => typeof type === 'string' && TYPES[type]?.(value) === true;
const isSame = (one: Json, other: Json): boolean => toStableJson(one) === toStableJson(other);

/** `#`, or a path from there. */
function resolveReference(reference: Json, root: JsonObject): Json | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  const names = reference.slice(1).split('/').slice(1);
  return names.reduce<Json | undefined>(
    (at, name) => (isObject(at) ? at[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    root,
  );
}

const SUBSCHEMAS = ['items', 'not', 'additionalProperties'];
const LISTS = ['anyOf', 'oneOf', 'allOf'];
const NAMED = ['properties', '$defs', 'definitions'];

/** A keyword whose meaning would not be kept, or a reference that leads nowhere. */
export const findUnknownKeyword = (schema: JsonObject): string | undefined => findUnknown(schema, schema, 0);

const MAX_DEPTH = 32;

function findUnknown(schema: Json, root: JsonObject, depth: number): string | undefined {
  if (!isObject(schema)) return undefined;
  if (depth > MAX_DEPTH) return 'a schema this deep';
  return findFirst(Object.entries(schema), ([keyword, rule = null]) => {
    if (!Object.hasOwn(CHECKS, keyword) && !TOLD_ONLY.includes(keyword)) return keyword;
    if (keyword === '$ref') return isEndless(rule, root) ? (typeof rule === 'string' ? rule : keyword) : undefined;
    const inner = SUBSCHEMAS.includes(keyword)
      ? [rule]
      : LISTS.includes(keyword) && Array.isArray(rule)
        ? rule
        : NAMED.includes(keyword) && isObject(rule)
          ? Object.values(rule)
          : [];
    return findFirst(inner, (each) => findUnknown(each ?? null, root, depth + 1));
  });
}

/** A reference that is not there, or that leads to itself without a value in between. */
function isEndless(reference: Json, root: JsonObject): boolean {
  const seen = new Set<Json>();
  let next: Json | undefined = reference;
  while (next !== undefined && !seen.has(next)) {
    seen.add(next);
    const target = resolveReference(next, root);
    if (target === undefined) return true;
    next = isObject(target) ? target['$ref'] : undefined;
  }
  return next !== undefined;
}
