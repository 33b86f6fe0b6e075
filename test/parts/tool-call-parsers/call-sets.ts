import type { Json, JsonObject } from '../../../src/contracts/message.ts';
import type { ToolDefinition } from '../../../src/contracts/provider.ts';
import type { SeededRandom } from '../../../src/testing/seeded-random.ts';

/** What a model may have wanted to say: words, then calls of tools it was given. */
export interface CallSet {
  readonly content: string;
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
  readonly tools: readonly ToolDefinition[];
}

const NAMES = ['terminal', 'read_file', 'web-search', 'mcp__issues__create', 'f'] as const;
const CONTENTS = ['', '', 'I will look.', 'Two things:\n\n1. read\n2. write', 'Setze {"debug": true} – 好的 ☕️', 'He said "go".'] as const;
const KEYS = ['path', 'command', 'query', 'limit', 'options', 'constructor', 'Größe', 'a_b'] as const;
/** Everything that could be taken for something else. */
const SNIPPETS = [
  'ls -la',
  '\n',
  '  indented\n    more\n',
  '\t',
  '"quoted" and \\backslash\\',
  "it's",
  '{"name": "rm", "arguments": {}}',
  '{"name": "rm", "parameters": {}}',
  '}]}{',
  '42',
  'true',
  'null',
  'None',
  '007',
  '[1, 2',
  '<b>markup</b> &amp;',
  '会议 ありがとう ☕️',
  '\u2028\u0001',
  '<tool_call>',
  '</tool_call>',
  '<think>',
  '</think>',
  '[TOOL_CALLS]',
  '[ARGS]',
  '<|im_end|>',
  '</s>',
  '<｜tool▁call▁end｜>',
  '<|tool_call_end|>',
  '<|python_tag|>',
  '```json\n{}\n```',
  '<function=x>',
  '; ',
] as const;

/** `avoid`: what no text may hold, because the format cannot write it. */
export function drawCallSet(random: SeededRandom, avoid: readonly string[]): CallSet {
  const names = random.shuffled(NAMES).slice(0, random.int(1, 4));
  const calls = names.map((name) => ({ name, arguments: drawArguments(random, avoid) }));
  return { content: random.pick(CONTENTS), calls, tools: calls.map((call) => describe(call.name, call.arguments)) };
}

function drawArguments(random: SeededRandom, avoid: readonly string[]): JsonObject {
  const keys = random.shuffled(KEYS).slice(0, random.int(0, 4));
  return Object.fromEntries(keys.map((key) => [key, drawValue(random, avoid, 0)]));
}

function drawValue(random: SeededRandom, avoid: readonly string[], depth: number): Json {
  const kind = random.weighed({
    text: 6,
    integer: 1,
    decimal: 1,
    truth: 1,
    nothing: 1,
    list: depth < 2 ? 1 : 0,
    object: depth < 2 ? 2 : 0,
  });
  const values: Readonly<Record<typeof kind, () => Json>> = {
    text: () => drawText(random, avoid),
    integer: () => random.int(-10_000, 10_000),
    decimal: () => random.int(-999, 999) / 8,
    truth: () => random.hits(0.5),
    nothing: () => null,
    list: () => random.list(0, 3, () => drawValue(random, avoid, depth + 1)),
    object: () => Object.fromEntries(random.list(0, 3, (index) => [`${random.pick(KEYS)}${index}`, drawValue(random, avoid, depth + 1)])),
  };
  return values[kind]();
}

function drawText(random: SeededRandom, avoid: readonly string[]): string {
  for (;;) {
    const text = random.list(0, 4, () => random.pick(SNIPPETS)).join(random.pick(['', ' ']));
    if (!avoid.some((word) => text.includes(word))) return text;
  }
}

const typeOf = (value: Json): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
};
const describe = (name: string, values: JsonObject): ToolDefinition => ({
  name,
  description: `Does ${name}.`,
  input: {
    type: 'object',
    properties: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { type: typeOf(value ?? null) }])),
  },
});
