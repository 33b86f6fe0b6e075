import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '../../src/agent/agent.ts';
import { replayCall } from '../../src/agent/replay.ts';
import { findCurrentEpoch } from '../../src/agent/request.ts';
import type { AgentEvent } from '../../src/contracts/event.ts';
import { createTextBlock } from '../../src/contracts/message.ts';
import type { RewindResult, RewindTarget } from '../../src/contracts/rewind.ts';
import { windowEngine } from '../../src/parts/context/window.ts';
import { scriptedProvider } from '../../src/testing/scripted-provider.ts';
import { play, resume, RUNTIME, says, setup, testTool, type Setup } from './setup.ts';

/** Takes turns back and tells what came of it, with every event on the way. */
async function rewind({ store, session, deps }: Setup, target: RewindTarget): Promise<{ result: RewindResult; events: AgentEvent[] }> {
  const turns = createAgent(store, deps, RUNTIME).rewind(session, target, new AbortController().signal);
  const events: AgentEvent[] = [];
  for (;;) {
    const step = await turns.next();
    if (step.done === true) return { result: step.value, events };
    events.push(step.value);
  }
}

const answering = () => scriptedProvider((_request, index) => ({ text: `answer ${index}` }));
const wordsOf = (request: { readonly messages: readonly { readonly message: { readonly content: readonly object[] } }[] } | undefined) =>
  request?.messages.map(({ message }) => message.content.map((block) => ('text' in block ? block.text : '')).join(''));

test('after a rewind the next request goes on from before the turns that were taken back', async () => {
  const provider = answering();
  const scene = await setup(provider);
  for (const words of ['one', 'two', 'three']) await play(scene, words);
  const { result, events } = await rewind(scene, { turns: 2 });
  assert.ok(result.ok);
  assert.deepEqual([result.message, result.turnIds.length, result.calls, result.files], [says('two'), 2, [], []]);
  assert.deepEqual(
    events.map((event) => event.type === 'entry' && event.entry.type),
    ['rewind'],
  );
  await play(scene, 'four');
  assert.deepEqual(wordsOf(provider.requests.at(-1)), ['one', 'answer 0', 'four']);
  assert.equal((await scene.store.calls({ sessionId: scene.session.id })).length, 4, 'the ledger keeps what it cost');
});

test('what was taken back can be followed by another rewind, and a position that is gone is refused', async () => {
  const provider = answering();
  const scene = await setup(provider);
  for (const words of ['one', 'two', 'three']) await play(scene, words);
  const log = await scene.store.entries(scene.session.id);
  const before = (words: string) => (log.find((entry) => JSON.stringify(entry).includes(`"${words}"`))?.seq ?? 0) - 1;
  assert.ok((await rewind(scene, { toSeq: before('two') })).result.ok);
  for (const toSeq of [before('three'), before('one') - 1, before('two') + 1, -1, 99]) {
    const { result } = await rewind(scene, { toSeq });
    assert.match(result.ok ? '' : result.why, /not right before a message/, String(toSeq));
  }
  assert.match(JSON.stringify((await rewind(scene, { turns: 0 })).result), /at least one turn/);
  assert.ok((await rewind(scene, { turns: 7 })).result.ok, 'more turns than there are means all of them');
  assert.match(JSON.stringify((await rewind(scene, { turns: 1 })).result), /no turn of this session is left/);
  await play(scene, 'anew');
  assert.deepEqual(wordsOf(provider.requests.at(-1)), ['anew']);
  assert.equal((await scene.store.entries(scene.session.id)).filter(({ type }) => type === 'epoch').length, 1, 'the prompt stays in force');
});

test('a prompt that was taken back is not in force any more; the one before is', async () => {
  const scene = await setup(answering());
  await play(scene, 'one');
  const other = { ...scene, deps: { ...scene.deps, toolkit: { ...scene.deps.toolkit, toolsets: ['other'] } } };
  await play(other, 'two');
  await rewind(scene, { turns: 1 });
  assert.deepEqual(
    findCurrentEpoch(await scene.store.entries(scene.session.id))?.toolsets,
    ['other'],
    'made for the turn, and kept for its repeat',
  );
  await rewind(scene, { turns: 1 });
  const log = await scene.store.entries(scene.session.id);
  assert.deepEqual(findCurrentEpoch(log)?.toolsets, ['test']);
  await play(scene, 'one again');
  assert.equal((await scene.store.entries(scene.session.id)).filter(({ type }) => type === 'epoch').length, 2, 'no third one is made');
});

test('calls made before and after a rewind are replayed byte for byte', async () => {
  const scene = await setup(answering());
  for (const words of ['one', 'two']) await play(scene, words);
  await rewind(scene, { turns: 1 });
  await play(scene, 'three');
  const [log, calls] = [await scene.store.entries(scene.session.id), await scene.store.calls({ sessionId: scene.session.id })];
  const replayed = calls.map((call) => replayCall(call, log, windowEngine, scene.deps.provider.encode));
  assert.deepEqual(
    replayed.map(({ identical }) => identical),
    [true, true, true],
  );
  const [, second] = calls;
  assert.ok(second !== undefined);
  const late = { ...second, throughSeq: log.find(({ type }) => type === 'rewind')?.seq ?? 0 };
  assert.equal(replayCall(late, log, windowEngine, scene.deps.provider.encode).identical, false, 'a call has seen the rewinds before it');
});

test('a rewind names calls and files, forgets what tools remember and lets foreign words go', async () => {
  const [forgotten, taints] = [[] as string[], [] as (readonly string[])[]];
  const web = testTool('web', async () => ({ content: [createTextBlock('do as I say', 'foreign')], foreign: 'a page' }), {
    trust: 'foreign',
    forget: (sessionId) => void forgotten.push(sessionId),
  });
  const look = testTool('look', async (_input, { taint }) => (taints.push(taint), { content: [createTextBlock('seen', 'tool')] }));
  const write = testTool('write_file', async () => ({ content: [createTextBlock('written', 'tool')] }));
  const call = (id: string, name: string, input = {}) => ({ id, name, input });
  const provider = scriptedProvider([
    { calls: [call('1', 'web'), call('2', 'write_file', { path: 'a.txt' })] },
    { calls: [call('3', 'look')] },
    { text: 'done' },
    { calls: [call('1', 'look')] },
    { text: 'done again' },
  ]);
  const scene = await setup(provider, { tools: [web, look, write] });
  await play(scene, 'go');
  const { result } = await rewind(scene, { turns: 1 });
  assert.ok(result.ok);
  assert.deepEqual(
    [result.calls.map(({ name }) => name), result.files],
    [['web', 'write_file', 'look'], [{ path: `${scene.folder}/a.txt`, fate: 'written' }]],
  );
  assert.deepEqual(forgotten, [scene.session.id]);
  await play(scene, 'again');
  assert.deepEqual(taints, [['a page'], []]);
  const ids = provider.requests.at(-1)?.messages.flatMap(({ message }) => (message.role === 'tool' ? [message.callId] : []));
  assert.deepEqual(ids, ['1_2'], 'an id that was used once is not used again, wherever its call is now');
});

test('a turn that was cut off is ended before it is taken back: no model is asked and no tool runs', async () => {
  let ran = 0;
  const once = testTool('once', async () => (ran++, { content: [createTextBlock('did it', 'tool')] }), { replay: 'never' });
  const provider = scriptedProvider([{ text: 'hello' }, { calls: [{ id: '1', name: 'once', input: {} }] }, { text: 'never asked for' }]);
  const scene = await setup(provider, { tools: [once] });
  await play(scene, 'one');
  const turn = createAgent(scene.store, scene.deps, RUNTIME).send(scene.session, says('two'), new AbortController().signal);
  for await (const event of turn) if (event.type === 'tool_finished') break;
  assert.ok((await scene.store.turn(scene.session.id)) !== undefined, 'it waits to be resumed');
  await scene.store.post({ sessionId: scene.session.id, content: [createTextBlock('and this', 'owner')], mode: 'queue' });
  const { result, events } = await rewind(scene, { turns: 1 });
  assert.ok(result.ok);
  assert.deepEqual([result.message, ran, provider.requests.length], [says('two'), 1, 2]);
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'settled' ? [event.outcome.exitReason] : [])),
    ['interrupted'],
  );
  assert.equal(await scene.store.turn(scene.session.id), undefined);
  assert.equal((await scene.store.waiting(scene.session.id)).length, 1, 'what waits keeps waiting');
  await resume(scene);
  assert.deepEqual(wordsOf(provider.requests.at(-1)), ['one', 'hello', 'and this']);
});

test('a compaction that was taken back shows its rows again; one from before stays', async () => {
  const provider = answering();
  const scene = await setup(provider);
  const { store, session } = scene;
  const compact = async (fromSeq: number, toSeq: number, words: string) => {
    const claim = await store.claim(session.id);
    const summary = { role: 'user', content: [createTextBlock(words, 'tool')] } as const;
    await store.commit(claim, { append: [{ type: 'compaction', origin: 'summary', fromSeq, toSeq, summary }] });
    await store.release(claim);
  };
  const seqOf = async (words: string) =>
    (await store.entries(session.id)).find((entry) => JSON.stringify(entry).includes(`"${words}"`))?.seq ?? 0;
  for (const words of ['one', 'two', 'three']) await play(scene, words);
  await compact(await seqOf('one'), await seqOf('answer 0'), 'notes of one');
  await play(scene, 'four');
  await compact(await seqOf('one'), await seqOf('answer 2'), 'notes of all');
  await play(scene, 'five');
  assert.deepEqual(wordsOf(provider.requests.at(-1)), ['notes of all', '', 'four', 'answer 3', 'five']);
  await rewind(scene, { turns: 2 });
  await play(scene, 'six');
  assert.deepEqual(wordsOf(provider.requests.at(-1)), ['notes of one', '', 'two', 'answer 1', 'three', 'answer 2', 'six']);
  await rewind(scene, { turns: 3 });
  await play(scene, 'seven');
  assert.deepEqual(wordsOf(provider.requests.at(-1)), ['one', 'answer 0', 'seven']);
});
