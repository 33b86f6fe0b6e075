import type { JsonObject } from '../../../base/json-types.ts';
import type { ToolDefinition } from '../../../contracts/provider.ts';
import type { AnyTool } from '../../../contracts/tool.ts';

/** A tool as the model sees it. */
export const toToolDefinition = ({ name, description, input }: AnyTool): ToolDefinition => ({ name, description, input: lean(input) });

/** That nothing else is taken is our business, not the model's: every first request pays for the words. */
const lean = ({ additionalProperties, ...schema }: JsonObject): JsonObject =>
  additionalProperties === false || additionalProperties === undefined ? schema : { ...schema, additionalProperties };
