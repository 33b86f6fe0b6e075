import { isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { replaceLoneSurrogates } from '../../base/text.ts';

/**
 * Schemas of strangers. One that is no JSON Schema makes a provider refuse the whole request, and so every session that
 * has the tool: what does not fit is left out keyword by keyword, and the rest keeps its meaning.
 */
type Keyword = (value: Json, depth: number) => Json | undefined;

/** Nobody nests arguments deeper, and nothing deeper is walked. */
const DEEPEST = 24;
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** Letters nobody sees can carry words the scanner cannot read; in a tool they have no other use. */
export const removeInvisible = (text: string): string => replaceLoneSurrogates(text).replaceAll(/[\u{e0000}-\u{e007f}]/gu, '');

const word: Keyword = (value) => (typeof value === 'string' ? removeInvisible(value) : undefined);
const yesOrNo: Keyword = (value) => (typeof value === 'boolean' ? value : undefined);
const number: Keyword = (value) => (typeof value === 'number' ? value : undefined);
const count: Keyword = (value) => (typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined);
const anything: Keyword = (value, depth) => cleaned(value, depth);
const list: Keyword = (value, depth) => (Array.isArray(value) && value.length > 0 ? cleaned(value, depth) : undefined);
const words: Keyword = (value) =>
  Array.isArray(value)
    ? [...new Set(value.filter((item: Json): item is string => typeof item === 'string').map(removeInvisible))]
    : undefined;
const schema: Keyword = (value, depth) => (isObject(value) ? cleanSchema(value, depth + 1) : typeof value === 'boolean' ? {} : undefined);
const schemaOrNot: Keyword = (value, depth) => (typeof value === 'boolean' ? value : schema(value, depth));
const schemas: Keyword = (value, depth) => {
  const found = (Array.isArray(value) ? value : []).flatMap((item: Json) => schema(item, depth) ?? []);
  return found.length > 0 ? found : undefined;
};
const named: Keyword = (value, depth) =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [removeInvisible(name), schema(member ?? null, depth) ?? {}]))
    : undefined;
const type: Keyword = (value) => {
  const kinds = (Array.isArray(value) ? value : [value]).filter((kind: Json) => typeof kind === 'string' && TYPES.has(kind));
  return kinds.length > 1 ? kinds : kinds[0];
};
const pattern: Keyword = (value) => (typeof value === 'string' && isPattern(value) ? value : undefined);
/** Only inside itself: nothing is fetched for a schema. */
const ref: Keyword = (value) => (typeof value === 'string' && value.startsWith('#') ? value : undefined);

/** Every keyword that may stand in a tool table. */
const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type,
  pattern,
  $ref: ref,
  ...rows(word, 'description title format $comment'),
  ...rows(number, 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...rows(count, 'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains'),
  ...rows(yesOrNo, 'uniqueItems nullable deprecated readOnly writeOnly'),
  ...rows(anything, 'default const'),
  ...rows(list, 'enum examples'),
  ...rows(words, 'required'),
  ...rows(schema, 'items contains not if then else propertyNames'),
  ...rows(schemaOrNot, 'additionalProperties'),
  ...rows(schemas, 'anyOf oneOf allOf prefixItems'),
  ...rows(named, 'properties patternProperties $defs definitions'),
};
function rows(keyword: Keyword, names: string): Record<string, Keyword> {
  return Object.fromEntries(names.split(' ').map((name) => [name, keyword]));
}

export function cleanSchema(value: JsonObject, depth = 0): JsonObject {
  if (depth > DEEPEST) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const fit = member === undefined || !Object.hasOwn(KEYWORDS, key) ? undefined : KEYWORDS[key]?.(member, depth);
      return fit === undefined ? [] : [[key, fit]];
    }),
  );
}

function cleaned(value: Json | undefined, depth: number): Json {
  if (typeof value === 'string') return removeInvisible(value);
  if (depth > DEEPEST || value === undefined) return null;
  if (Array.isArray(value)) return value.map((item: Json) => cleaned(item, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [removeInvisible(key), cleaned(member, depth + 1)]));
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
