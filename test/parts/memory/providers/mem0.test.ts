import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openMem0 } from '../../../../src/parts/memory/providers/mem0/provider.ts';
import { openMem0Server, type Mem0Server } from '../../../../src/testing/memory-servers/mem0.ts';
import { describeProvider } from './conformance.ts';
import { GUEST, never, openHome, OWNER, turnOf } from './scene.ts';

describeProvider<Mem0Server>({
  name: 'mem0',
  keyVariable: 'MEM0_API_KEY',
  openServer: openMem0Server,
  file: (url) => ({ base_url: url }),
  open: openMem0,
  stored: ({ memories }) => memories.map(({ memory }) => memory),
  searchTool: 'mem0_search',
  storeTool: ['mem0_add', 'content'],
  tools: ['mem0_search', 'mem0_add', 'mem0_update', 'mem0_delete'],
});

it('changes and deletes only memories of the person who is spoken with, and remembers where foreign words came from', async () => {
  await using server = await openMem0Server('k');
  const { options } = openHome('mem0', { base_url: server.url, user_id: 'me', agent_id: 'helper' }, { MEM0_API_KEY: 'k' });
  const provider = openMem0(options);
  await provider.syncTurn?.(turnOf(OWNER, 'k1', 'The boiler makes noise', { foreign: ['example.org'] }), never);
  const [kept] = server.memories;
  assert.deepEqual([kept?.user_id, kept?.agent_id, kept?.run_id], ['me', 'helper', 's-owner']);
  const [fact] = (await provider.recall?.('boiler noise', { ...OWNER, signal: never, maxChars: 6_000 })) ?? [];
  assert.equal(fact?.foreign, 'memory provider mem0, example.org');
  const change = (scope: typeof OWNER, name: string) =>
    provider.call?.(name, { memory_id: kept?.id ?? '', content: 'quiet now' }, { ...scope, signal: never });
  await assert.rejects(async () => change(GUEST, 'mem0_update'), /no memory .* of this person/);
  await assert.rejects(async () => change(GUEST, 'mem0_delete'), /no memory .* of this person/);
  await change(OWNER, 'mem0_update');
  assert.deepEqual(
    server.memories.map(({ memory }) => memory),
    ['quiet now'],
  );
  await change(OWNER, 'mem0_delete');
  assert.deepEqual(server.memories, []);
});
