import { isObject, parseJson } from '../../base/json.ts';
import { readPythonLiteral } from './python-literal.ts';
import type { Json, JsonObject } from '../../contracts/message.ts';
import type { ToolDefinition } from '../../contracts/provider.ts';

/** A value the model wrote as plain text, as its tool wants it. */
export type ArgumentTypes = (tool: string, argument: string, text: string) => Json;

/** Words of Python for what JSON has other words for. */
const LITERALS: Readonly<Record<string, Json>> = { True: true, False: false, None: null };
/** Names of types that schemas made of Python have. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  float: 'number',
  double: 'number',
  int: 'integer',
  long: 'integer',
  bool: 'boolean',
  str: 'string',
  dict: 'object',
  list: 'array',
  tuple: 'array',
};

/**
 * The types a tool's schema names decide, and what fits none of them stays text.
 * Without a schema the text is read as JSON, then as a literal of Python, and else it is a text.
 */
export const createArgumentTypes =
  (tools: readonly ToolDefinition[] = []): ArgumentTypes =>
  (tool, argument, text) => {
    const schema = tools.find(({ name }) => name === tool)?.input;
    const properties = isObject(schema) ? schema['properties'] : undefined;
    const property = isObject(properties) && Object.hasOwn(properties, argument) ? properties[argument] : undefined;
    const types = listTypes(property, isObject(schema) ? schema : {}, 0);
    const literal = readLiteral(text);
    const isNested = types.has('array') || types.has('object');
    const value = literal === undefined && isNested ? parseJson(text.replaceAll('\\"', '"')) : literal;
    if (value === undefined) return text;
    return types.size === 0 || listTypesOf(value).some((type) => types.has(type)) ? value : text;
  };

/** JSON, or a literal of Python; a text in quotes is one too. */
function readLiteral(text: string): Json | undefined {
  const plain = text.trim();
  if (Object.hasOwn(LITERALS, plain)) return LITERALS[plain];
  const json = parseJson(plain);
  return json === undefined ? readPythonLiteral(plain) : json;
}

/** A text that a schema allows is taken as it was written: its quotes are its own. */
function listTypesOf(value: Json): readonly string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number'];
  return typeof value === 'string' ? [] : [typeof value];
}

/** References may go in a circle. */
const MAX_DEPTH = 8;

/** The names of the types that a schema allows; none if it does not say. */
function listTypes(schema: unknown, root: JsonObject, depth: number): ReadonlySet<string> {
  if (!isObject(schema) || depth > MAX_DEPTH) return new Set();
  const { type, $ref: reference } = schema;
  const named = [type].flat().flatMap((one) => (typeof one === 'string' ? [TYPE_NAMES[one] ?? one] : []));
  const choices = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => schema[key] ?? []);
  const values = [...[schema['enum'] ?? []].flat(), ...('const' in schema ? [schema['const'] ?? null] : [])];
  const inner = [...choices, ...(typeof reference === 'string' ? [follow(reference, root)] : [])];
  if (named.length > 0) return new Set(named);
  return new Set([
    ...inner.flatMap((one) => [...listTypes(one, root, depth + 1)]),
    ...values.flatMap((value) => (typeof value === 'string' ? ['string'] : listTypesOf(value))),
  ]);
}

/** A reference inside the same schema. */
const follow = (reference: string, root: JsonObject): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((here, key) => (isObject(here) && Object.hasOwn(here, key) ? here[key] : undefined), root);

/** Arguments of a call: an object, one written as a text, or none. */
export function readArguments(value: unknown): JsonObject | undefined {
  if (value === undefined || value === null || value === '') return {};
  const inner = typeof value === 'string' ? parseJson(value) : value;
  return isObject(inner) ? inner : undefined;
}
