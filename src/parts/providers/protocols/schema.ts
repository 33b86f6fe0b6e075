import { isObject } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../contracts/message.ts';
import type { ModelRequest, ToolDefinition } from '../../../contracts/provider.ts';

/** Keywords that grammar-based local servers cannot turn into a grammar. */
const REFUSED = new Set([
  'pattern',
  'format',
  'patternProperties',
  'propertyNames',
  'contentEncoding',
  'contentMediaType',
  'not',
  'if',
  'then',
  'else',
  '$schema',
]);
/** Under these the keys are names of the tool's own fields, so a field called `pattern` stays. */
const NAMED = new Set(['properties', '$defs', 'definitions']);
const LITERAL = new Set(['enum', 'const', 'default', 'examples', 'required']);

export function resolveToolSchema(tool: ToolDefinition, { adjust }: ModelRequest): JsonObject {
  return adjust.plainSchemas ? simplifySchema(tool.input) : tool.input;
}

export function simplifySchema(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([key]) => !REFUSED.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, plainMember(key, value ?? null)]));
}

function plainMember(key: string, value: Json): Json {
  if (LITERAL.has(key)) return value;
  if (NAMED.has(key) && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainValue(inner ?? null)]));
  return plainValue(value);
}
function plainValue(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => plainValue(item));
  return isObject(value) ? simplifySchema(value) : value;
}
