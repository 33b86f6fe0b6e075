import { toErrorMessage } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { JsonObject } from '../../base/json-types.ts';
import { takeStart } from '../../base/text.ts';
import type { MemoryProvider, MemoryScope } from '../../contracts/memory-provider.ts';
import { createTextBlock } from '../../contracts/message.ts';
import type { ToolDefinition } from '../../contracts/provider.ts';
import { isToolFailure, ToolFailure, type AnyTool, type Tool } from '../../contracts/tool.ts';

export interface ProviderToolsDeps {
  readonly provider: MemoryProvider;
  readonly scope: MemoryScope;
  readonly isOpen: () => boolean;
  readonly notice: (words: string) => void;
  /** Names of tools that are not this provider's. */
  readonly isTaken: (name: string) => boolean;
}

const MAX_TOOLS = 32;
const MAX_DESCRIPTION = 2_000;
const MAX_SCHEMA_BYTES = 16_384;
/** Longer than any answer: nothing of it is shown. */
const MAX_ANSWER = 400_000;
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** The tools of a provider, behind a wall of ours: what they answer is foreign, and what they keep needs consent after foreign words. */
export function createProviderTools(deps: ProviderToolsDeps): readonly AnyTool[] {
  const { provider, notice, isTaken } = deps;
  const refuse = (tool: string, why: string): [] => {
    notice(`The tool ${tool} of the memory ${provider.name} is left out: ${why}`);
    return [];
  };
  const seen = new Set<string>();
  return listDefinitions(provider, notice).flatMap((given): AnyTool[] => {
    const definition = readDefinition(given);
    if (definition === undefined) return refuse(nameOf(given), 'its name, description or schema cannot be used.');
    const { name } = definition;
    if (isTaken(name)) return refuse(name, 'another tool has that name.');
    if (seen.has(name)) return refuse(name, 'the provider names it twice.');
    seen.add(name);
    return [wrapTool(definition, deps)];
  });
}

function listDefinitions(provider: MemoryProvider, notice: (words: string) => void): readonly unknown[] {
  try {
    const given: unknown = provider.call === undefined ? [] : (provider.tools?.() ?? []);
    return Array.isArray(given) ? given.slice(0, MAX_TOOLS) : [];
  } catch (error) {
    notice(`The memory ${provider.name} has no tools in this session: ${toErrorMessage(error)}`);
    return [];
  }
}

function readDefinition(given: unknown): ToolDefinition | undefined {
  if (!isObject(given)) return undefined;
  const { name, description, input } = given;
  if (typeof name !== 'string' || !NAME.test(name) || typeof description !== 'string' || !isObject(input)) return undefined;
  if (input['type'] !== 'object' || JSON.stringify(input).length > MAX_SCHEMA_BYTES) return undefined;
  return { name, description: takeStart(description, MAX_DESCRIPTION), input: structuredClone(input) };
}

const nameOf = (given: unknown): string =>
  isObject(given) && typeof given['name'] === 'string' ? takeStart(given['name'].replaceAll(/[^\w-]+/g, ' '), 64) : 'without a name';

const wrapTool = (
  { name, description, input }: ToolDefinition,
  { provider, scope, isOpen, notice }: ProviderToolsDeps,
): Tool<JsonObject> => ({
  name,
  description,
  input,
  effects: () => ({ kind: 'write', resources: ['memory'] }),
  replay: 'never',
  idempotent: false,
  offTerminal: true,
  trust: 'foreign',
  timeoutMs: 30_000,
  maxResult: 100_000,
  sink: async (given) => ((await isRead(name, given, provider)) ? undefined : `the memory ${provider.name}`),
  run: async (given, { signal, sessionId }) => {
    if (!isOpen()) throw new ToolFailure(`The memory ${provider.name} was replaced or turned off. Only a new session can use it.`);
    try {
      const answer: unknown = await provider.call?.(name, given, { ...scope, sessionId, signal });
      if (typeof answer !== 'string') throw new ToolFailure(`The memory ${provider.name} gave no text.`);
      if (answer.length > MAX_ANSWER) throw new ToolFailure(`The memory ${provider.name} gave more than anybody can read; it is left out.`);
      return { content: [createTextBlock(answer, 'foreign')], foreign: `memory ${provider.name}` };
    } catch (error) {
      // Words for the model come as a `ToolFailure`; whatever else it throws was not written for it.
      if (isToolFailure(error)) throw error;
      notice(`The tool ${name} of the memory ${provider.name} failed: ${takeStart(toErrorMessage(error), 500)}`);
      throw new ToolFailure(`The memory ${provider.name} could not do it. The owner is told why.`);
    }
  },
});

/** One that does not know is not believed. */
async function isRead(name: string, input: JsonObject, provider: MemoryProvider): Promise<boolean> {
  try {
    return (await provider.readsOnly?.(name, input)) === true;
  } catch {
    return false;
  }
}
