import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWrittenCall, stripWrittenCalls } from '../../src/agent/written-call.ts';
import { isMessageEntry } from '../../src/contracts/entry.ts';
import type { ToolDefinition } from '../../src/contracts/provider.ts';
import { scriptedProvider } from '../../src/testing/scripted-provider.ts';
import { play, setup, testTool } from './setup.ts';

const tool = (name: string, ...properties: readonly string[]): ToolDefinition => ({
  name,
  description: '',
  input: { type: 'object', properties: Object.fromEntries(properties.map((property) => [property, { type: 'string' }])) },
});
const TOOLS = [
  tool('terminal', 'command', 'background'),
  tool('process', 'action', 'id'),
  tool('memory', 'action', 'content'),
  tool('patch', 'path', 'old', 'new'),
  tool('todo', 'items'),
  tool('read_file', 'path', 'offset'),
  tool('web_search', 'query'),
];

const JSON_CALL = '{"name": "terminal", "arguments": {"command": "ls -la"}}';
const fence = (body: string, label = 'json'): string => `\`\`\`${label}\n${body}\n\`\`\``;

/** Calls as models of many families write them when their template does not meet the server's parser. */
const CALLS: readonly (readonly [string, string])[] = [
  ['Qwen and Hermes tags', `<tool_call>\n${JSON_CALL}\n</tool_call>`],
  ['tags behind words', `Let me look at the folder.<tool_call>${JSON_CALL}</tool_call>`],
  ['tags that never close', '<tool_call>\n{"name": "read_file", "arguments": {"path": "src/a.ts'],
  ['tags in capitals', `<TOOL_CALL>${JSON_CALL}</TOOL_CALL>`],
  ['a name alone in tags', 'I will look.\n<tool_call>{"name":"terminal"}'],
  ['several in one tag', `<tool_calls>[${JSON_CALL}]</tool_calls>`],
  ['Qwen coder', '<tool_call>\n<function=terminal>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>'],
  ['a function by its name', '<function=terminal>{"command": "ls"}</function>'],
  ['GLM keys and values', '<tool_call>terminal\n<arg_key>command</arg_key>\n<arg_value>ls</arg_value>\n</tool_call>'],
  ['a name and arguments in a tag', '<tool_call>read_file\n{"path": "a.txt"}\n</tool_call>'],
  ['Claude', '<function_calls>\n<invoke name="terminal">\n<parameter name="command">ls</parameter>\n</invoke>\n</function_calls>'],
  ['MiniMax', '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">a</parameter>\n</invoke>\n</minimax:tool_call>'],
  ['an invocation in single quotes', "<invoke name='read_file'><parameter name='path'>a</parameter></invoke>"],
  ['tool_use with JSON', '<tool_use>{"name": "memory", "input": {"action": "add", "content": "likes tea"}}</tool_use>'],
  ['function_call with JSON', `<function_call>${JSON_CALL}</function_call>`],
  ['Mistral', `[TOOL_CALLS] [${JSON_CALL}]`],
  ['Mistral without a blank', `[TOOL_CALLS][${JSON_CALL}]`],
  ['Mistral with arguments apart', '[TOOL_CALLS]terminal[ARGS]{"command": "ls"}'],
  ['Granite and Phi', `<|tool_call|>[${JSON_CALL}]<|/tool_call|>`],
  ['Llama', '<|python_tag|>{"name": "terminal", "parameters": {"command": "ls"}}'],
  ['Llama with the kind of call', '<|python_tag|>{"type": "function", "name": "read_file", "parameters": {"path": "a"}}<|eom_id|>'],
  [
    'DeepSeek V3',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>terminal\n```json\n{"command":"ls"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  [
    'DeepSeek V3.1',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>terminal<｜tool▁sep｜>{"command":"ls"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  [
    'Kimi',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.terminal:0<|tool_call_argument_begin|>{"command":"ls"}<|tool_call_end|>',
  ],
  ['Harmony', '<|channel|>commentary to=functions.terminal <|constrain|>json<|message|>{"command":"ls"}'],
  ['bare JSON', JSON_CALL],
  ['bare JSON with parameters', ' {"name":"web_search","parameters":{"query":"weather"}}\n'],
  ['a bare list', `[${JSON_CALL}, {"name": "read_file", "arguments": {"path": "a"}}]`],
  ['bare JSON on several lines', `${JSON_CALL}\n{"name": "read_file", "arguments": {"path": "a"}}`],
  ['bare JSON with arguments as a string', '{"name": "terminal", "arguments": "{\\"command\\": \\"ls\\"}"}'],
  ['bare JSON in the form of the wire', '{"type": "function", "function": {"name": "terminal", "arguments": {"command": "ls"}}}'],
  ['bare JSON in the form of an agent', '{"action": "terminal", "action_input": {"command": "ls"}}'],
  ['JSON in a fence at the end', `Let me see.\n${fence(JSON_CALL)}\n`],
  ['a list in a fence without a name', fence(`[${JSON_CALL}]`, '')],
  ['Gemini', fence('print(default_api.terminal(command="ls"))', 'tool_code')],
  ['Llama as Python', '[terminal(command="ls"), read_file(path="a")]'],
  ['Cline', 'I will read it.\n\n<read_file>\n<path>src/a.ts</path>\n</read_file>'],
  ['ReAct', 'Thought: I should look.\nAction: terminal\nAction Input: {"command": "ls"}'],
];

/** Answers that speak of calls, tools, or things that have the names of tools. */
const ANSWERS: readonly (readonly [string, string])[] = [
  ['a mark in a sentence', 'The Anthropic API returns a <tool_use> block; your process then sends back a result block.'],
  ['XML with another name', 'In XML write <function name="f"> … </function>. It keeps its state in memory.'],
  ['a definition of a tool', `For your own agent:\n${fence('{"name":"terminal","parameters":{"type":"object"}}')}`],
  [
    'a whole definition of a tool',
    fence(
      '{"name":"read_file","description":"Reads.","parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}',
    ),
  ],
  ['a mark in code', 'Qwen writes `<tool_call>{"name": "terminal"}</tool_call>`, which the server parses.'],
  ['an invocation in code', 'Older models wrote `<invoke name="terminal">` for this.'],
  ['a fence in the middle', `${fence(JSON_CALL)}\nThis is how a call looks on the wire.`],
  ['a template in a fence in the middle', `${fence(`<tool_call>${JSON_CALL}</tool_call>`, 'xml')}\nSo the parser must look for the tag.`],
  ['a tool that is not there', '<tool_call>{"name":"launch"}</tool_call>'],
  ['JSON of a thing', fence('{"name": "hermes", "arguments": {}}')],
  ['a name and no arguments', fence('{"name": "terminal"}')],
  ['a bare name', '{"name": "memory", "size": "16 GB", "speed": 3200}'],
  ['a package', '{"name": "process", "version": "0.11.10", "main": "index.js"}'],
  ['a package in a fence', `The file:\n${fence('{"name": "patch", "input": "src", "version": "1.0.0"}')}`],
  ['words about tools', 'I used read_file and the terminal, then changed my memory and the todo list.'],
  ['a mark of DeepSeek', 'DeepSeek begins calls with <｜tool▁calls▁begin｜> and the process must parse that.'],
  ['a mark of Kimi', 'Kimi K2 emits <|tool_call_begin|> before each call; the terminal shows it raw.'],
  ['a mark of Llama', 'Llama 3 emits <|python_tag|> when it wants the terminal.'],
  ['a mark of Mistral', 'Mistral puts [TOOL_CALLS] before the list, and the process ends.'],
  ['a function call in Python', 'Call process(id=3) in your script, or memory(action="x") in mine, and see.'],
  ['HTML', 'Use <process> for the box and <memory> for the bar:\n\n<memory>\n  <used>3</used>\n</memory>'],
  ['a plan', 'Action: terminal access is needed.\nOwner: you'],
  ['Python in a fence', fence('terminal(command="ls")', 'python')],
  ['a log line', 'The log says to=functions.terminal was chosen, and then nothing.'],
  ['a shell command', fence('ls -la | grep memory', 'bash')],
  ['settings of MCP', fence('{"mcpServers": {"memory": {"command": "npx", "args": ["-y", "server-memory"]}}}')],
  ['a table of tools', '| name | arguments |\n|---|---|\n| terminal | command |\n| memory | action, content |'],
  ['a diff', fence('-<tool_call>\n+<tool_use name="other">\n memory', 'diff')],
  ['a JSON schema', '{"type": "object", "properties": {"name": {"const": "terminal"}, "arguments": {"type": "object"}}}'],
  ['an empty answer in tags', '<tool_call></tool_call> is what I would write if I had a process to start.'],
];

test('the samples: 60 or more, about as many calls as answers', () => {
  assert.ok(CALLS.length >= 30 && ANSWERS.length >= 30);
});
for (const [story, words] of CALLS) test(`a written call: ${story}`, () => assert.equal(isWrittenCall(words, TOOLS), true));
for (const [story, words] of ANSWERS) test(`no written call: ${story}`, () => assert.equal(isWrittenCall(words, TOOLS), false));

const look = testTool('look', async () => ({ content: [] }));
const PROSE = 'The parser of this server looks for a tag, and the tag is this one here, as every page of its manual says. '.repeat(3);

test('an answer that was taken for a call is shown, with what the model said when it was asked again', async () => {
  const first = `${PROSE}\n<tool_call>{"name": "look", "arguments": {}}</tool_call>`;
  const scene = await setup(scriptedProvider([{ text: first }, { text: 'That was an example.' }]), { tools: [look] });
  const { outcome } = await play(scene, 'how does it call?');
  assert.equal(outcome?.text, `${first}\n\nThat was an example.`);
  const messages = (await scene.store.entries(scene.session.id)).filter(isMessageEntry);
  assert.equal(messages.length, 4);
});

test('of a reply that was a call and little else, only the second is shown', async () => {
  const first = 'I will look.\n<tool_call>{"name": "look", "arguments": {}}</tool_call>';
  assert.ok(stripWrittenCalls(first, [tool('look')]).length < 20);
  const scene = await setup(scriptedProvider([{ text: first }, { text: 'There are two files.' }]), { tools: [look] });
  assert.equal((await play(scene, 'what is there?')).outcome?.text, 'There are two files.');
});
