import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '../../src/agent/agent.ts';
import { scriptedProvider } from '../../src/testing/scripted-provider.ts';
import { play, RUNTIME, setup } from './setup.ts';

test('a session that is ended is told to its context engine, keeps the first reason and goes on with its next message', async () => {
  const scene = await setup(scriptedProvider(() => ({ text: 'ok' })));
  const watched: string[] = [];
  const context = {
    ...scene.deps.context,
    begin: (id: string) => void watched.push(`begin ${id}`),
    end: (id: string) => void watched.push(`end ${id}`),
  };
  const agent = createAgent(scene.store, { ...scene.deps, context }, RUNTIME);
  const { id } = scene.session;
  const ending = async () => {
    const [session] = await scene.store.find(id);
    return [session?.endReason, session?.endedAt !== undefined];
  };
  for await (const _ of agent.resume(scene.session, new AbortController().signal));
  assert.equal(await agent.end(scene.session, 'reset'), true);
  assert.equal(await agent.end(scene.session, 'expired'), true);
  assert.deepEqual(await ending(), ['reset', true]);
  await Promise.resolve();
  assert.deepEqual(watched, [`begin ${id}`, `end ${id}`]);
  await play(scene, 'and on');
  assert.deepEqual(await ending(), [undefined, false]);
});

test('a session somebody is at is not ended', async () => {
  const scene = await setup(scriptedProvider(() => ({ text: 'ok' })));
  const claim = await scene.store.claim(scene.session.id);
  const agent = createAgent(scene.store, scene.deps, RUNTIME);
  assert.equal(await agent.end(scene.session, 'exit'), false);
  assert.equal((await scene.store.find(scene.session.id))[0]?.endReason, undefined);
  await scene.store.release(claim);
  assert.equal(await agent.end(scene.session, 'exit'), true);
});
