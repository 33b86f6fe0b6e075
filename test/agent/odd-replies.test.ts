import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeReply } from '../../src/agent/reply.ts';
import { createTurnState } from '../../src/agent/state.ts';
import { isMessageEntry } from '../../src/contracts/entry.ts';
import { createTextBlock, joinTextBlocks } from '../../src/contracts/message.ts';
import { scriptedProvider } from '../../src/testing/scripted-provider.ts';
import { play, RUNTIME, setup, testTool } from './setup.ts';

const define = (name: string, property: string) => ({ name, description: '', input: { type: 'object', properties: { [property]: {} } } });
const TOOLS = [define('read_file', 'path'), define('terminal', 'command')];
const state = createTurnState({ sessionId: 's', turnId: 't', startedAt: 0, runtime: RUNTIME });
const judged = (words: string) => {
  const verdict = judgeReply({ role: 'assistant', content: [createTextBlock(words, 'model')] }, 'stop', state, TOOLS);
  return verdict.type === 'unusable' ? verdict.failure.type : verdict.type;
};
const call = '{"name": "read_file", "arguments": {"path": "a"}}';

for (const [story, words, verdict] of [
  ['tags', `<tool_call>\n${call}\n</tool_call>`, 'written_call'],
  ['tags after words', `I will look.\n<tool_call>{"name":"terminal"}`, 'written_call'],
  ['a function by its name', '<function=terminal><parameter=command>ls</parameter></function>', 'written_call'],
  ['an invocation', '<invoke name="read_file"><parameter name="path">a</parameter></invoke>', 'written_call'],
  ['a mark of a template', `[TOOL_CALLS] [${call}]`, 'written_call'],
  ['JSON in a fence at the end', `Let me see.\n\`\`\`json\n${call}\n\`\`\`\n`, 'written_call'],
  ['a list in a fence', `\`\`\`json\n[${call}, ${call}]\n\`\`\``, 'written_call'],
  ['the old form in a fence', '```json\n{"function": {"name": "terminal", "parameters": {}}}\n```', 'written_call'],
  ['a tool that is not in the table', '<tool_call>{"name":"launch"}</tool_call>', 'answer'],
  ['JSON that names no tool', '```json\n{"name": "hermes", "arguments": {}}\n```', 'answer'],
  ['JSON with a name and no arguments', '```json\n{"name": "terminal"}\n```', 'answer'],
  ['a fence in the middle of an answer', `\`\`\`json\n${call}\n\`\`\`\nThis is how a call looks on the wire.`, 'answer'],
  ['words about a tool', 'I used read_file and the terminal.', 'answer'],
] as const) {
  test(`a tool call written as text: ${story}`, () => assert.equal(judged(words), verdict));
}

test('a tool call written as text is asked for again once and never executed from text', async () => {
  let ran = 0;
  const tool = testTool('read_file', async () => (ran++, { content: [createTextBlock('seen', 'tool')] }));
  const provider = scriptedProvider([{ text: `<tool_call>${call}</tool_call>` }, { text: `<tool_call>${call}</tool_call>` }]);
  const scene = await setup(provider, { tools: [tool] });
  const { outcome, events } = await play(scene, 'read a');
  assert.deepEqual([ran, provider.requests.length, outcome?.type], [0, 2, 'answered']);
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'recovering' ? [event.strategy] : [])),
    ['reask_written_call'],
  );
  const said = (await scene.store.entries(scene.session.id))
    .filter(isMessageEntry)
    .map(({ message }) => [message.role, joinTextBlocks(message).slice(0, 24)]);
  assert.deepEqual(said, [
    ['user', 'read a'],
    ['assistant', '<tool_call>{"name": "rea'],
    ['user', 'Your last reply containe'],
    ['assistant', '<tool_call>{"name": "rea'],
  ]);
});

test('finish_reason tool_calls without a call: asked again, then taken as the answer it is', async () => {
  const provider = scriptedProvider(() => ({ text: 'I will look.', finish: 'tool_calls' }));
  const scene = await setup(provider);
  const { outcome } = await play(scene, 'go');
  assert.deepEqual([provider.requests.length, outcome?.type, outcome?.text], [4, 'answered', 'I will look.']);
});

test('a reply that did not come to an end is asked for again once, and then handed over with what it said', async () => {
  const provider = scriptedProvider(() => ({ fails: { type: 'repetition', detail: 'over and over', partial: { text: 'First, again' } } }));
  const { outcome } = await play(await setup(provider), 'go');
  assert.deepEqual(
    [provider.requests.length, outcome?.type, outcome?.exitReason, outcome?.text],
    [2, 'partial', 'cut_off', 'First, again'],
  );
  assert.match(
    JSON.stringify(provider.requests[1]),
    /repeated the same piece of text.*have a command or a script write it/,
    'the model is told why',
  );
});
