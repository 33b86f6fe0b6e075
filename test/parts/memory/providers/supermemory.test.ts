import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openSupermemory } from '../../../../src/parts/memory/providers/supermemory/provider.ts';
import { openSupermemoryServer, type SupermemoryServer } from '../../../../src/testing/memory-servers/supermemory.ts';
import { describeProvider } from './conformance.ts';
import { GUEST, never, openHome, OWNER, turnOf } from './scene.ts';

describeProvider<SupermemoryServer>({
  name: 'supermemory',
  keyVariable: 'SUPERMEMORY_API_KEY',
  openServer: openSupermemoryServer,
  file: (url) => ({ base_url: url }),
  open: openSupermemory,
  stored: ({ documents }) => documents.map(({ content }) => content),
  searchTool: 'supermemory_search',
  storeTool: ['supermemory_store', 'content'],
  tools: ['supermemory_store', 'supermemory_search', 'supermemory_forget', 'supermemory_profile'],
});

it('forgets only memories of the person who is spoken with, and shows that person their own profile', async () => {
  await using server = await openSupermemoryServer('k');
  const { options } = openHome('supermemory', { base_url: server.url, container_tag: 'me' }, { SUPERMEMORY_API_KEY: 'k' });
  const provider = openSupermemory(options);
  await provider.syncTurn?.(turnOf(OWNER, 'k1', 'The boiler makes noise', { foreign: ['example.org'] }), never);
  const [kept] = server.documents;
  assert.equal(kept?.containerTag, 'me');
  const [fact] = (await provider.recall?.('boiler noise', { ...OWNER, signal: never, maxChars: 6_000 })) ?? [];
  assert.equal(fact?.foreign, 'memory provider supermemory, example.org');
  const call = async (scope: typeof OWNER, name: string) =>
    provider.call?.(name, { memory_id: kept?.id ?? '', query: 'boiler' }, { ...scope, signal: never });
  assert.match((await call(OWNER, 'supermemory_profile')) ?? '', /boiler makes noise.*boiler makes noise/);
  assert.doesNotMatch((await call(GUEST, 'supermemory_profile')) ?? '', /boiler/);
  await assert.rejects(call(GUEST, 'supermemory_forget'), /answered 404/);
  assert.equal(kept?.forgotten, undefined);
  await call(OWNER, 'supermemory_forget');
  assert.equal(kept?.forgotten, true);
});
