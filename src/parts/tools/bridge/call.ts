import { isObject } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import type { ToolCall } from '../../../contracts/message.ts';
import type { Tool } from '../../../contracts/tool.ts';

export interface BridgeInput {
  readonly name: string;
  readonly arguments?: JsonObject;
}
export const TOOL_CALL = 'tool_call';

/** Stands in the table for every tool that does not. A call to it is taken apart before anything looks at it. */
export const toolCallTool: Tool<BridgeInput> = {
  name: TOOL_CALL,
  description: 'Call a tool listed in tool_search.',
  input: {
    type: 'object',
    properties: { name: { type: 'string' }, arguments: { type: 'object' } },
    required: ['name'],
  },
  effects: () => ({ kind: 'read', resources: [] }),
  replay: 'safe',
  idempotent: false,
  trust: 'tool',
  timeoutMs: 10_000,
  maxResult: 1_000,
  run: () => Promise.reject(new Error('tool_call is taken apart before it runs')),
};

/** The call that is meant. Arguments may stand beside the name as well, and models send them as text. */
export function unwrapCall(call: ToolCall): ToolCall | undefined {
  const { input } = call;
  if (!isObject(input) || typeof input['name'] !== 'string') return undefined;
  const { name, arguments: inner, ...beside } = input;
  return { ...call, name, input: inner ?? beside };
}
