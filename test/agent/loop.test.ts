import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import type { AgentEvent } from '../../src/contracts/event.ts';
import { isMessageEntry } from '../../src/contracts/entry.ts';
import type { SessionStore } from '../../src/contracts/session-store.ts';
import { createTextBlock, joinTextBlocks } from '../../src/contracts/message.ts';
import { scriptedProvider } from '../../src/testing/scripted-provider.ts';
import { play, resume, setup, testTool } from './setup.ts';

const call = (id: string, name: string, input = {}) => ({ id, name, input });
const kinds = (events: readonly AgentEvent[]) => events.map((event) => (event.type === 'entry' ? `entry:${event.entry.type}` : event.type));

test('a question is answered in one step, and the log holds prompt, question, answer and outcome', async () => {
  const scene = await setup(scriptedProvider([{ text: 'hello', usage: { input: 10, output: 2 } }]));
  const { events, outcome } = await play(scene, 'hi');
  assert.deepEqual(outcome, { type: 'answered', exitReason: 'answered', text: 'hello' });
  assert.deepEqual(kinds(events), ['entry:epoch', 'entry:message', 'text_delta', 'sampled', 'entry:message', 'entry:outcome', 'settled']);
  const entries = await scene.store.entries(scene.session.id);
  assert.deepEqual(
    entries.map((entry) => entry.seq),
    [1, 2, 3, 4],
  );
  const last = entries.at(-1);
  assert.equal(last?.type === 'outcome' && last.messageId, entries[2]?.id);
  assert.equal(await scene.store.turn(scene.session.id), undefined);
  const [record] = await scene.store.calls({ sessionId: scene.session.id });
  assert.equal(record?.usage.input, 10);
});

test('tools run side by side, finish in order of arrival and are stored in the order asked', async () => {
  const slow = testTool('slow', async () => (await sleep(60), { content: [createTextBlock('slow done', 'tool')] }));
  const fast = testTool('fast', async (_input, context) => {
    context.report('half way');
    return { content: [createTextBlock('fast done', 'tool')] };
  });
  const scene = await setup(scriptedProvider([{ calls: [call('1', 'slow'), call('2', 'fast')] }, { text: 'ok' }]), { tools: [slow, fast] });
  const { events } = await play(scene, 'go');
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'tool_finished' ? [event.callId] : [])),
    ['2', '1'],
  );
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'tool_progress' ? [event.note] : [])),
    ['half way'],
  );
  const stored = (await scene.store.entries(scene.session.id))
    .filter(isMessageEntry)
    .flatMap(({ message }) => (message.role === 'tool' ? [joinTextBlocks(message)] : []));
  assert.deepEqual(stored, ['slow done', 'fast done']);
});

test('whatever changes the world begins after a commit that is flushed, and the last one is', async () => {
  const commits: ('flushed' | 'later')[] = [];
  const atRun: string[] = [];
  const writer = testTool('writer', async () => (atRun.push(commits.join(' ')), { content: [] }), { replay: 'never' });
  const scene = await setup(scriptedProvider([{ calls: [call('1', 'writer')] }, { text: 'ok' }]), { tools: [writer] });
  const store: SessionStore = {
    ...scene.store,
    commit: (claim, change) => {
      commits.push(change.continues === true ? 'later' : 'flushed');
      return scene.store.commit(claim, change);
    },
  };
  await play({ ...scene, store }, 'go');
  assert.match(atRun.join(), /later flushed$/);
  assert.equal(commits.at(-1), 'flushed');
  // Each of the two calls as it goes out, the reply with the call, and the answer.
  assert.equal(commits.filter((each) => each === 'later').length, 4);
});

test('a writer waits for the reader it clashes with', async () => {
  const order: string[] = [];
  const reader = testTool('reader', async () => (await sleep(30), order.push('read'), { content: [] }), {
    effects: () => ({ kind: 'read', resources: ['path:/a'] }),
  });
  const writer = testTool('writer', async () => (order.push('write'), { content: [] }), {
    effects: () => ({ kind: 'write', resources: ['path:/a/b'] }),
  });
  const scene = await setup(
    scriptedProvider([{ calls: [call('1', 'reader'), call('2', 'writer'), call('3', 'reader', { again: true })] }, { text: 'ok' }]),
    { tools: [reader, writer] },
  );
  await play(scene, 'go');
  assert.deepEqual(order, ['read', 'write', 'read']);
});

test('an unknown tool, bad arguments and a throwing tool become results the model can read', async () => {
  const strict = testTool('strict', async () => ({ content: [] }), {
    input: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  });
  const broken = testTool('broken', async () => {
    throw new Error('disk full');
  });
  const scene = await setup(
    scriptedProvider([{ calls: [call('1', 'nope'), call('2', 'strict', { n: 'x' }), call('3', 'broken')] }, { text: 'ok' }]),
    { tools: [strict, broken] },
  );
  await play(scene, 'go');
  const results = (await scene.store.entries(scene.session.id))
    .filter(isMessageEntry)
    .flatMap(({ message }) => (message.role === 'tool' ? [[message.failed, joinTextBlocks(message)]] : []));
  assert.deepEqual(results, [
    [true, 'Not run: there is no tool named nope. There are: broken, strict.'],
    [true, 'Not run: n must be integer, not "x".'],
    [true, 'The tool failed: Error: disk full'],
  ]);
});

test('the step limit ends in one closing call that keeps the tool table and forbids tools', async () => {
  const tool = testTool('poke', async () => ({ content: [createTextBlock(String(Math.random()), 'tool')] }));
  const provider = scriptedProvider((request, index) =>
    request.toolUse === 'forbidden' ? { text: 'summary' } : { calls: [call(String(index), 'poke', { index })] },
  );
  const scene = await setup(provider, { tools: [tool], settings: { 'agent.max_turns': 3 } });
  const { outcome } = await play(scene, 'go');
  assert.deepEqual(outcome, { type: 'stopped', exitReason: 'turn_limit', text: 'summary', words: 'model' });
  assert.deepEqual(
    provider.requests.map((request) => request.toolUse),
    ['auto', 'auto', 'auto', 'forbidden'],
  );
  assert.deepEqual(provider.requests[3]?.tools, provider.requests[0]?.tools);
});

test('an abort stops the turn while its tools still run, and every call has a result', async () => {
  const controller = new AbortController();
  const run = (): Promise<never> => {
    setImmediate(() => controller.abort());
    return new Promise(() => {});
  };
  const stuck = testTool('stuck', run, { replay: 'never' });
  const scene = await setup(scriptedProvider([{ calls: [call('1', 'stuck'), call('2', 'stuck')] }, { text: 'never' }]), { tools: [stuck] });
  const { outcome } = await play(scene, 'go', controller.signal);
  assert.equal(outcome?.exitReason, 'interrupted');
  const results = (await scene.store.entries(scene.session.id)).filter(isMessageEntry).filter(({ message }) => message.role === 'tool');
  assert.equal(results.length, 2);
});

test('a text sent into the running turn joins it at the tool boundary and has one fate', async () => {
  const scene = await setup(scriptedProvider([{ calls: [call('1', 'talk')] }, { text: 'ok' }]), {
    tools: [
      testTool('talk', async () => {
        await scene.store.post({ sessionId: scene.session.id, content: [createTextBlock('also this', 'owner')], mode: 'steer' });
        return { content: [createTextBlock('done', 'tool')] };
      }),
    ],
  });
  const { events } = await play(scene, 'go');
  const roles = (await scene.store.entries(scene.session.id))
    .filter(isMessageEntry)
    .map((entry) => `${entry.origin}:${entry.message.role}`);
  assert.deepEqual(roles, ['user:user', 'model:assistant', 'tool:tool', 'steer:user', 'model:assistant']);
  const inbox = await scene.store.inbox(scene.session.id);
  assert.deepEqual(
    inbox.map((item) => item.fate),
    ['steered'],
  );
  // Told once, after the entry that holds its words.
  const told = events.filter((event) => event.type === 'inbox' || (event.type === 'entry' && event.entry.origin === 'steer'));
  assert.deepEqual(
    told.map((event) => (event.type === 'inbox' ? { itemId: event.itemId, fate: event.fate } : event.type)),
    ['entry', { itemId: inbox[0]?.id, fate: 'steered' }],
  );
});

test('an interrupting text left by another process stops the turn at the tool boundary and opens the next one', async () => {
  const provider = scriptedProvider([{ calls: [call('1', 'talk')] }, { text: 'about the other thing' }]);
  const scene = await setup(provider, {
    tools: [
      testTool('talk', async () => {
        await scene.store.post({
          sessionId: scene.session.id,
          content: [createTextBlock('stop, do this instead', 'owner')],
          mode: 'interrupt',
        });
        return { content: [createTextBlock('done', 'tool')] };
      }),
    ],
  });
  assert.equal((await play(scene, 'go')).outcome?.exitReason, 'interrupted');
  assert.equal((await resume(scene)).outcome?.text, 'about the other thing');
  assert.deepEqual(
    (await scene.store.inbox(scene.session.id)).map((item) => item.fate),
    ['interrupted'],
  );
});

test('an interrupting text that came too late to stop anything opens a turn of its own', async () => {
  const scene = await setup(scriptedProvider([{ text: 'done already' }, { text: 'and now this' }]));
  await play(scene, 'go');
  await scene.store.post({ sessionId: scene.session.id, content: [createTextBlock('stop', 'owner')], mode: 'interrupt' });
  assert.equal((await resume(scene)).outcome?.text, 'and now this');
  assert.deepEqual(
    (await scene.store.inbox(scene.session.id)).map((item) => item.fate),
    ['turn'],
  );
});
