import { UsageError } from '../../../base/errors.ts';
import type { CommandParameter, CommandParameters, ParameterValue, ParsedValues } from '../../../contracts/command.ts';
import type { Json, JsonObject } from '../../../contracts/message.ts';
import type { ConversationTool, ConversationToolOptions } from './contract.ts';

/** A tool from its parameters: their schema is what the client is told, and every call is held against it. */
export const defineConversationTool = <const Parameters extends CommandParameters>({
  parameters,
  run,
  ...tool
}: ConversationToolOptions<Parameters>): ConversationTool => ({
  ...tool,
  inputSchema: toInputSchema(parameters),
  run: (input, signal) => run(parseInput(tool.name, parameters, input), signal),
});

const toInputSchema = (parameters: CommandParameters): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(parameters).map(([name, one]) => [name, toPropertySchema(one)])),
  required: Object.entries(parameters).flatMap(([name, { required }]) => (required === true ? [name] : [])),
  additionalProperties: false,
});

function toPropertySchema(one: CommandParameter): JsonObject {
  const { description } = one;
  const preset = 'default' in one && one.default !== undefined ? { default: one.default } : {};
  if (one.kind === 'whole_number') return { type: 'integer', minimum: 0, description, ...preset };
  return { type: 'string', description, ...(one.kind === 'choice' && { enum: [...one.choices] }), ...preset };
}

function parseInput<Parameters extends CommandParameters>(
  tool: string,
  parameters: Parameters,
  input: JsonObject,
): ParsedValues<Parameters> {
  const unknown = Object.keys(input).find((name) => !Object.hasOwn(parameters, name));
  if (unknown !== undefined)
    throw new UsageError(`${tool} has no parameter ${unknown}. It takes: ${Object.keys(parameters).join(', ') || 'none'}.`);
  const values = Object.entries(parameters).flatMap(([name, one]) => {
    const value = parseValue(`${tool}: ${name}`, one, input[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the border where a client's input gets its type
  return Object.fromEntries(values) as ParsedValues<Parameters>;
}

function parseValue(what: string, one: CommandParameter, given: Json | undefined): ParameterValue | undefined {
  if (given === undefined || given === null) {
    if (one.required === true) throw new UsageError(`${what} is missing: ${one.description}.`);
    return 'default' in one ? one.default : undefined;
  }
  // Some clients send every value as a text.
  const number = one.kind === 'whole_number' ? Number(given) : Number.NaN;
  if (one.kind === 'whole_number' && Number.isInteger(number) && number >= 0 && given !== '') return number;
  if (one.kind === 'text' && typeof given === 'string') return given;
  if (one.kind === 'choice' && typeof given === 'string' && one.choices.includes(given)) return given;
  const wanted = one.kind === 'whole_number' ? 'a whole number' : one.kind === 'choice' ? `one of ${one.choices.join(', ')}` : 'a text';
  throw new UsageError(`${what} must be ${wanted}, not ${JSON.stringify(given)}.`);
}
