import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTextBlock } from '../../src/contracts/message.ts';
import { ToolRefusal } from '../../src/contracts/tool.ts';
import { toolCallTool } from '../../src/parts/tools/bridge/call.ts';
import { scriptedProvider, type ScriptedAnswer } from '../../src/testing/scripted-provider.ts';
import { play, setup, testTool } from './setup.ts';

const fails = (name: string) => testTool(name, async () => Promise.reject(new Error(`${name} says no`)));
const through = (index: number, name: string): ScriptedAnswer => ({
  calls: [{ id: String(index), name: 'tool_call', input: { name, arguments: { index } } }],
});

test('calls through the bridge count for the tool that was meant, and are named by it', async () => {
  const names = ['alpha', 'beta', 'gamma', 'delta'];
  const provider = scriptedProvider((_, index) => (index < 12 ? through(index, names[index % 4] ?? '') : { text: 'done' }));
  const scene = await setup(provider, { tools: [toolCallTool, ...names.map(fails)] });
  const { outcome } = await play(scene, 'go');
  assert.equal(outcome?.exitReason, 'answered', 'four tools that failed three times each are no loop');
  const shown = JSON.stringify(provider.requests.at(-1)?.messages);
  for (const name of names) assert.match(shown, new RegExp(`${name} has failed 3 times in a row`));
  assert.doesNotMatch(shown, /tool_call has failed/);
});

test('calls that were denied are not followed by the advice to look for another way', async () => {
  const denied = testTool('write', async () => Promise.reject(new ToolRefusal('Not run. Do not look for another way.')));
  const provider = scriptedProvider((request, index) =>
    request.toolUse === 'forbidden' ? { text: 'Denied.' } : { calls: [{ id: String(index), name: 'write', input: { index: index >> 1 } }] },
  );
  const { outcome } = await play(await setup(provider, { tools: [denied] }), 'go');
  const shown = JSON.stringify(provider.requests.at(-1)?.messages);
  assert.match(shown, /\[This same call has been refused 2 times\. It will be refused again: do what the result says\.\]/);
  assert.equal(shown.match(/Calls like these are refused for what they do/g)?.length ?? 0, 1, 'told once');
  assert.doesNotMatch(shown, /Consider another way|Change something/);
  assert.equal(outcome?.exitReason, 'loop_guard', 'asking on and on ends all the same');
});

test('one tool that fails again and again is found out, whichever way it is called', async () => {
  const provider = scriptedProvider((request, index) => {
    if (request.toolUse === 'forbidden') return { text: 'I am stuck.' };
    return index % 2 === 0 ? through(index, 'alpha') : { calls: [{ id: String(index), name: 'alpha', input: { index } }] };
  });
  const { outcome } = await play(await setup(provider, { tools: [toolCallTool, fails('alpha')] }), 'go');
  assert.equal(outcome?.exitReason, 'loop_guard');
  assert.equal(provider.requests.length, 9);
});

test('the same call without news is the same through the bridge and directly', async () => {
  const look = testTool('look', async () => ({ content: [createTextBlock('seen', 'tool')] }), { idempotent: true });
  const script: ScriptedAnswer[] = [
    { calls: [{ id: '1', name: 'look', input: { at: 'x' } }] },
    { calls: [{ id: '2', name: 'tool_call', input: { name: 'look', arguments: { at: 'x' } } }] },
    { text: 'done' },
  ];
  const provider = scriptedProvider(script);
  await play(await setup(provider, { tools: [toolCallTool, look] }), 'go');
  assert.match(JSON.stringify(provider.requests.at(-1)?.messages), /same call has given the same result 2 times/);
});

test('a tool that is known but not there is no unknown name: the turn goes on, and only insisting on it ends it', async () => {
  const absent = testTool('send_message', async () => ({ content: [] }), { available: () => false, needs: 'a running gateway' });
  const ask = (index: number): ScriptedAnswer => ({ calls: [{ id: String(index), name: 'send_message', input: { index } }] });
  const patient = scriptedProvider((_, index) => (index < 4 ? ask(index) : { text: 'Here is the text instead.' }));
  const { outcome } = await play(await setup(patient, { tools: [absent] }), 'go');
  assert.equal(outcome?.exitReason, 'answered');
  assert.match(
    JSON.stringify(patient.requests.at(-1)?.messages),
    /send_message is not available in this session: it needs a running gateway/,
  );
  const stubborn = scriptedProvider((request, index) => (request.toolUse === 'forbidden' ? { text: 'No.' } : ask(index)));
  assert.equal((await play(await setup(stubborn, { tools: [absent] }), 'go')).outcome?.exitReason, 'loop_guard');
});

test('a stored result says which tool was meant and for how long it ran', async () => {
  const slow = testTool('slow', async () => {
    await scene.clock.sleep(40, new AbortController().signal);
    return { content: [createTextBlock('there', 'tool')] };
  });
  const denied = testTool('denied', async () => Promise.reject(new ToolRefusal('Not run.')));
  const provider = scriptedProvider([{ ...through(1, 'slow') }, { calls: [{ id: '2', name: 'denied', input: {} }] }, { text: 'done' }]);
  const scene = await setup(provider, { tools: [toolCallTool, slow, denied] });
  await play(scene, 'go');
  const entries = await scene.store.entries(scene.session.id);
  assert.deepEqual(
    entries.flatMap((entry) =>
      entry.type === 'message' && entry.message.role === 'tool' ? [[entry.message.name, entry.tool, entry.ms]] : [],
    ),
    [
      ['tool_call', 'slow', 41],
      ['denied', undefined, 1],
    ],
  );
  assert.doesNotMatch(JSON.stringify(provider.requests.at(-1)?.messages), /"ms"|"slow","ms"/);
});
