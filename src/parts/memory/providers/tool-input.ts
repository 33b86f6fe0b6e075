import type { JsonObject } from '../../../base/json-types.ts';
import type { ToolDefinition } from '../../../contracts/provider.ts';

/** A tool of a memory service in a few words: its parameters by name, a `?` behind those that may be left out. */
export function defineMemoryTool(name: string, description: string, parameters: Readonly<Record<string, JsonObject>>): ToolDefinition {
  const properties = Object.fromEntries(Object.entries(parameters).map(([key, schema]) => [key.replace(/\?$/, ''), schema]));
  const required = Object.keys(parameters).filter((key) => !key.endsWith('?'));
  return { name, description, input: { type: 'object', properties, required, additionalProperties: false } };
}

export const text = (description: string): JsonObject => ({ type: 'string', description });
export const count = (description: string, most: number): JsonObject => ({ type: 'integer', minimum: 1, maximum: most, description });
export const oneOf = (choices: readonly string[], description: string): JsonObject => ({ type: 'string', enum: choices, description });

/** Refuses a name that none of the tools has. */
export function demandTool(tools: readonly ToolDefinition[], name: string): void {
  if (!tools.some((tool) => tool.name === name))
    throw new Error(`There is no tool ${name}; there are ${tools.map((tool) => tool.name).join(', ')}.`);
}

/** A text that has to be there. */
export function readTextInput(input: JsonObject, name: string): string {
  const value = input[name];
  if (typeof value !== 'string' || value.trim() === '') throw new Error(`${name} is missing: it must be a text.`);
  return value.trim();
}
export const readOptionalText = (input: JsonObject, name: string): string | undefined => {
  const value = input[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};
export const readCount = (input: JsonObject, name: string, usual: number, most: number): number => {
  const value = input[name];
  return typeof value === 'number' && value >= 1 ? Math.min(Math.floor(value), most) : usual;
};
