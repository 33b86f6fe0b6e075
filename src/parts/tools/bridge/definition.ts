import { isObject } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import type { ToolDefinition } from '../../../contracts/provider.ts';
import type { AnyTool } from '../../../contracts/tool.ts';

/** A tool as the model sees it. */
export const toToolDefinition = ({ name, description, input }: AnyTool): ToolDefinition => ({
  name,
  description,
  input: name.startsWith('mcp__') ? lean(input) : shorten(lean(input)),
});

/** That nothing else is taken is our business, not the model's: every first request pays for the words. */
const lean = ({ additionalProperties, ...schema }: JsonObject): JsonObject =>
  additionalProperties === false || additionalProperties === undefined ? schema : { ...schema, additionalProperties };

/** Nor does it need to be told, in our own schemas, that a count is not negative or that there is an end to everything. */
const shorten = (schema: JsonObject): JsonObject => {
  const kept = Object.entries(schema).flatMap(([key, value]) => (isPlainBound(key, value) ? [] : [[key, shortenValue(value)]]));
  return Object.fromEntries(kept);
};
const isPlainBound = (key: string, value: Json | undefined): boolean =>
  ((key === 'minimum' || key === 'minItems') && (value === 0 || value === 1)) ||
  ((key === 'maximum' || key === 'maxItems') && typeof value === 'number' && value >= 100);
/** The same schemas are in the tools of every session, and nobody changes them. */
const shortened = new WeakMap<JsonObject, JsonObject>();
function shortenValue(value: Json | undefined): Json | undefined {
  if (!isObject(value)) return value;
  const known = shortened.get(value) ?? shorten(value);
  shortened.set(value, known);
  return known;
}
