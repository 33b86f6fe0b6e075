import { isObject, parseJson } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import type { TrajectoryCall, TrajectoryMessage } from '../../../contracts/environment.ts';
import type { ToolDefinition } from '../../../contracts/provider.ts';
import type { ShareGptTurn } from './sharegpt.ts';
import { toSpacedJson } from './spaced-json.ts';

const ROLES: ReadonlySet<unknown> = new Set<ShareGptTurn['from']>(['system', 'human', 'gpt', 'tool']);

/** The turns of a line; nothing when it is no conversation in the ShareGPT form. */
export function readTurns(line: JsonObject): readonly ShareGptTurn[] | undefined {
  const { conversations } = line;
  if (!Array.isArray(conversations)) return undefined;
  const turns = conversations.flatMap((turn) =>
    isObject(turn) && ROLES.has(turn['from']) && typeof turn['value'] === 'string'
      ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both members were looked at
        [turn as unknown as ShareGptTurn]
      : [],
  );
  return turns.length === conversations.length && turns.length > 0 ? turns : undefined;
}

/** The JSON of blocks, each on a line of its own between a line that opens and one that closes; and what stands outside of them. */
function readBlocks(text: string, tag: string): { readonly rest: string; readonly blocks: readonly JsonObject[] } {
  const lines = text.split('\n');
  const rest: string[] = [];
  const blocks: JsonObject[] = [];
  for (let at = 0; at < lines.length; at++) {
    const value = lines[at] === `<${tag}>` && lines[at + 2] === `</${tag}>` ? parseJson(lines[at + 1] ?? '') : undefined;
    if (!isObject(value)) rest.push(lines[at] ?? '');
    else {
      blocks.push(value);
      at += 2;
    }
  }
  return { rest: rest.join('\n').trim(), blocks };
}

/** The tools that the system turn lists. */
export function readTools(turns: readonly ShareGptTurn[]): readonly ToolDefinition[] {
  const listed = parseJson(/<tools>\n([^\n]*)\n<\/tools>/.exec(turns[0]?.from === 'system' ? turns[0].value : '')?.[1] ?? '');
  return (Array.isArray(listed) ? listed : []).flatMap((tool) =>
    isObject(tool) && typeof tool['name'] === 'string'
      ? [
          {
            name: tool['name'],
            description: readWord(tool['description']),
            input: isObject(tool['parameters']) ? tool['parameters'] : {},
          },
        ]
      : [],
  );
}

/** The same conversation as OpenAI's API writes it. Calls have no ids in this form: they take those of the results that follow. */
export function fromShareGpt(turns: readonly ShareGptTurn[]): readonly TrajectoryMessage[] {
  return turns.flatMap((turn, index): readonly TrajectoryMessage[] => {
    if (turn.from === 'system') return [];
    if (turn.from === 'human') return [{ role: 'user', content: turn.value }];
    if (turn.from === 'gpt') return [readReply(turn.value, index, turns[index + 1])];
    return readBlocks(turn.value, 'tool_response').blocks.map(readResponse);
  });
}

const readResponse = ({ tool_call_id: id, name, content }: JsonObject): TrajectoryMessage => ({
  role: 'tool',
  content: typeof content === 'string' ? content : toSpacedJson(content),
  tool_call_id: readWord(id),
  name: typeof name === 'string' ? name : 'unknown',
});

const readWord = (value: unknown): string => (typeof value === 'string' ? value : '');

const THINKING = /^<think>\n([\s\S]*?)\n?<\/think>\n?/;

function readReply(value: string, index: number, next: ShareGptTurn | undefined): TrajectoryMessage {
  const thought = THINKING.exec(value)?.[1];
  const { rest, blocks } = readBlocks(value.replace(THINKING, ''), 'tool_call');
  const ids = next?.from === 'tool' ? readBlocks(next.value, 'tool_response').blocks.map(({ tool_call_id: id }) => id) : [];
  const calls = blocks.map((block, at): TrajectoryCall => {
    const id = ids[at];
    return {
      id: typeof id === 'string' && id !== '' ? id : `call_${index}_${at}`,
      type: 'function',
      function: { name: readWord(block['name']), arguments: JSON.stringify(block['arguments'] ?? {}) },
    };
  });
  return {
    role: 'assistant',
    content: rest,
    ...(thought !== undefined && thought.trim() !== '' && { reasoning_content: thought }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}
