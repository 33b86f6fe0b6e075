import { isObject, parseJson } from '../../../base/json.ts';
import type { Json } from '../../../base/json-types.ts';
import type { TrajectoryCall, TrajectoryMessage } from '../../../contracts/environment.ts';
import type { ToolDefinition } from '../../../contracts/provider.ts';
import { toSpacedJson } from './spaced-json.ts';

/** One turn of a conversation in the ShareGPT form. */
export interface ShareGptTurn {
  readonly from: 'system' | 'human' | 'gpt' | 'tool';
  readonly value: string;
}

/**
 * A conversation as the Python system writes it: the system turn lists the tools, thoughts stand in `<think>`, calls in
 * `<tool_call>`, and all results of a turn in one turn of `<tool_response>` blocks. The system prompt of the session is not in it.
 */
export function toShareGpt(messages: readonly TrajectoryMessage[], tools: readonly ToolDefinition[]): readonly ShareGptTurn[] {
  const turns: ShareGptTurn[] = [{ from: 'system', value: writeToolList(tools) }];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.role === 'user') turns.push({ from: 'human', value: message.content });
    if (message.role === 'assistant') turns.push({ from: 'gpt', value: writeReply(message) });
    if (message.role !== 'tool') continue;
    const response = writeResponse(message);
    if (last?.from === 'tool') turns[turns.length - 1] = { from: 'tool', value: `${last.value}\n${response}` };
    else turns.push({ from: 'tool', value: response });
  }
  return turns;
}

const writeToolList = (tools: readonly ToolDefinition[]): string =>
  [
    'You can call tools. Their names, descriptions and parameters are listed between <tools> and </tools> as JSON.',
    `<tools>\n${toSpacedJson(tools.map(({ name, description, input }) => ({ name, description, parameters: input, required: null })))}\n</tools>`,
    'To call a tool, write one block for each call: a JSON object with "name" and "arguments" between <tool_call> and </tool_call>.',
    'The results come back between <tool_response> and </tool_response>. When no tool is needed, answer in words.',
  ].join('\n');

/** Models without a field for it write their thoughts between these tags. */
const SCRATCHPAD = /(<\/?)REASONING_SCRATCHPAD>/g;

function writeReply({ content, reasoning_content: thought, tool_calls: calls = [] }: TrajectoryMessage): string {
  const said = content.replaceAll(SCRATCHPAD, '$1think>');
  const thinking = thought !== undefined && thought.trim() !== '' ? `<think>\n${thought}\n</think>\n` : '';
  const words = calls.length === 0 || said.trim() === '' ? (calls.length === 0 ? said : '') : `${said}\n`;
  const text = `${thinking}${words}${calls.map((call) => `<tool_call>\n${writeCall(call)}\n</tool_call>\n`).join('')}`;
  const whole = text.includes('<think>') ? text : `<think>\n</think>\n${text}`;
  return calls.length === 0 ? whole.trim() : whole.trimEnd();
}

const writeCall = ({ function: { name, arguments: given } }: TrajectoryCall): string => {
  const input = parseJson(given);
  return toSpacedJson({ name, arguments: isObject(input) ? input : {} });
};

const writeResponse = ({ tool_call_id: id = '', name = 'unknown', content }: TrajectoryMessage): string =>
  `<tool_response>\n${toSpacedJson({ tool_call_id: id, name, content: readStructured(content) })}\n</tool_response>`;

/** A result that is an object or a list stands as one. */
function readStructured(content: string): Json {
  const value = /^\s*[{[]/.test(content) ? parseJson(content) : undefined;
  return typeof value === 'object' && value !== null ? value : content;
}

/** Whether the model told any of its thoughts. */
export const hasReasoning = ({ content, reasoning_content: thought }: TrajectoryMessage): boolean =>
  (thought ?? '').trim() !== '' || /<(?:think|REASONING_SCRATCHPAD)>\s*[^\s<]/.test(content);
