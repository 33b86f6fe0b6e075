import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '../../src/agent/agent.ts';
import { replayCall } from '../../src/agent/replay.ts';
import type { BranchOptions } from '../../src/contracts/branch.ts';
import type { Session } from '../../src/contracts/session-store.ts';
import { windowEngine } from '../../src/parts/context/window.ts';
import { createWireFormats } from '../../src/parts/providers/wire-format.ts';
import { scriptedProvider } from '../../src/testing/scripted-provider.ts';
import { partsOf } from './invariants/wire.ts';
import { play, RUNTIME, says, setup, testTool, type Setup } from './setup.ts';

const formatOf = createWireFormats(() => undefined);

async function branch({ store, session, deps }: Setup, options?: BranchOptions): Promise<Session> {
  const result = await createAgent(store, deps, RUNTIME).branch(session, options);
  assert.ok(result.ok, result.ok ? '' : result.why);
  return result.session;
}

test('the first request of a branch begins with the bytes of its parent, also when the prompt would render otherwise by now', async () => {
  const provider = scriptedProvider((_request, index) => ({ text: `answer ${index}` }));
  const scene = await setup(provider);
  for (const words of ['one', 'two']) await play(scene, words);
  const session = await branch(scene);
  const render = async () => ({ slots: [{ name: 'identity', lifetime: 'session' as const, text: 'You are somebody else.' }], notices: [] });
  const later = { ...scene, session, deps: { ...scene.deps, prompt: { render } } };
  await play(later, 'three');
  const bodies = provider.requests.map((request) => partsOf(formatOf(request.runtime).encode(request).body));
  assert.equal(bodies[2]?.head, bodies[1]?.head);
  assert.deepEqual(bodies[2]?.messages.slice(0, 4), bodies[1]?.messages, 'system and the two questions with the answer between them');
  const [log, calls] = [await scene.store.entries(session.id), await scene.store.calls({ sessionId: session.id })];
  assert.deepEqual(
    calls.map((call) => replayCall(call, log, windowEngine, provider.encode).identical),
    [true],
  );
});

test('an entry inside a turn takes the whole turn along, also one that was taken back since', async () => {
  const provider = scriptedProvider((_request, index) => ({ text: `answer ${index}` }));
  const scene = await setup(provider);
  for (const words of ['one', 'two']) await play(scene, words);
  const agent = createAgent(scene.store, scene.deps, RUNTIME);
  for await (const _ of agent.rewind(scene.session, { turns: 1 }, new AbortController().signal));
  const log = await scene.store.entries(scene.session.id);
  const second = log.find((entry) => JSON.stringify(entry).includes('"two"'));
  const session = await branch(scene, { throughSeq: second?.seq ?? 0, title: 'The other way' });
  await play({ ...scene, session }, 'three');
  const said = provider.requests
    .at(-1)
    ?.messages.map(({ message }) => message.content.map((block) => ('text' in block ? block.text : '')).join(''));
  assert.deepEqual(said, ['one', 'answer 0', 'two', 'answer 1', 'three']);
  assert.equal(session.title, 'The other way');
});

test('a turn that is not settled stays out of a branch', async () => {
  const wait = testTool('wait', async () => ({ content: [] }), { replay: 'never' });
  const provider = scriptedProvider([{ text: 'hello' }, { calls: [{ id: '1', name: 'wait', input: {} }] }]);
  const scene = await setup(provider, { tools: [wait] });
  assert.deepEqual(await createAgent(scene.store, scene.deps, RUNTIME).branch(scene.session), {
    ok: false,
    why: 'nothing of this session is settled yet',
  });
  await play(scene, 'one');
  const turn = createAgent(scene.store, scene.deps, RUNTIME).send(scene.session, says('two'), new AbortController().signal);
  for await (const event of turn) if (event.type === 'tool_finished') break;
  const [whole, cut] = [await scene.store.entries(scene.session.id), await branch(scene)];
  assert.deepEqual([cut.messages, cut.unfinished], [2, false]);
  const open = await createAgent(scene.store, scene.deps, RUNTIME).branch(scene.session, { throughSeq: whole.at(-1)?.seq ?? 0 });
  assert.match(open.ok ? '' : open.why, /no turn that is settled/);
});
