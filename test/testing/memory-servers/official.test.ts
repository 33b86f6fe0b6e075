import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { AuthenticationError, Honcho, NotFoundError } from '@honcho-ai/sdk';
import { HindsightClient, HindsightError } from '@vectorize-io/hindsight-client';
import Supermemory, { AuthenticationError as KeyRefused, BadRequestError, NotFoundError as DocumentNotFound } from 'supermemory';
import { openHindsightServer } from '../../../src/testing/memory-servers/hindsight.ts';
import { openHonchoServer } from '../../../src/testing/memory-servers/honcho.ts';
import { openMem0Server } from '../../../src/testing/memory-servers/mem0.ts';
import { openSupermemoryServer } from '../../../src/testing/memory-servers/supermemory.ts';

test("Honcho's own client finds peers, sessions, messages, conclusions and cards as it expects them", async () => {
  await using server = await openHonchoServer('k');
  const honcho = new Honcho({ apiKey: 'k', baseURL: server.url, workspaceId: 'home', maxRetries: 0 });
  const ada = await honcho.peer('ada');
  const helper = await honcho.peer('helper');
  const session = await honcho.session('s1');
  await session.addPeers([ada, [helper, { observeMe: false }]]);
  const sent = await session.addMessages([ada.message('I like tea', { metadata: { hermes_key: 'k1' } }), helper.message('Noted')]);
  assert.deepEqual(
    sent.map(({ content, peerId, sessionId }) => [content, peerId, sessionId]),
    [
      ['I like tea', 'ada', 's1'],
      ['Noted', 'helper', 's1'],
    ],
  );
  const known = await session.messages({ filters: { metadata: { hermes_key: 'k1' } } });
  assert.deepEqual([known.total, known.items[0]?.content], [1, 'I like tea']);
  assert.deepEqual(
    (await ada.search('tea')).map(({ content }) => content),
    ['I like tea'],
  );
  const context = await ada.context({ searchQuery: 'tea' });
  assert.match(context.representation ?? '', /I like tea/);
  assert.match((await ada.chat('tea')) ?? '', /I like tea/);
  const [concluded] = await ada.conclusions.create([{ content: 'Ada is calm', sessionId: 's1' }]);
  assert.equal(concluded?.content, 'Ada is calm');
  assert.deepEqual(
    (await ada.conclusions.query('calm')).map(({ content }) => content),
    ['Ada is calm'],
  );
  const listed = await ada.conclusions.list();
  assert.deepEqual(
    listed.items.map(({ content }) => content),
    ['I like tea', 'Ada is calm'],
  );
  await ada.conclusions.create(Array.from({ length: 5 }, (_, index) => ({ content: `Box ${index}`, sessionId: 's1' })));
  const paged = (await Array.fromAsync(await ada.conclusions.list({ size: 2 }))).map(({ content }) => content);
  assert.deepEqual(paged, ['I like tea', 'Ada is calm', 'Box 0', 'Box 1', 'Box 2', 'Box 3', 'Box 4'], 'it reads page by page to the end');
  for (const { id, content } of (await ada.conclusions.list({ size: 50 })).items)
    if (content.startsWith('Box')) await ada.conclusions.delete(id);
  await ada.conclusions.delete(concluded?.id ?? '');
  assert.equal((await ada.conclusions.list()).total, 1);
  await ada.setCard(['Name: Ada']);
  assert.deepEqual(await ada.getCard(), ['Name: Ada']);
  await assert.rejects(ada.conclusions.delete('none'), NotFoundError);
  const stranger = new Honcho({ apiKey: 'wrong', baseURL: server.url, workspaceId: 'home', maxRetries: 0 });
  await assert.rejects((async () => (await stranger.peer('ada')).getCard())(), AuthenticationError);
});

test("Supermemory's own client adds, finds, lists, changes and forgets as it expects", async () => {
  await using server = await openSupermemoryServer('k');
  const client = new Supermemory({ apiKey: 'k', baseURL: server.url, maxRetries: 0 });
  const added = await client.add({ content: 'Ada likes tea', containerTag: 'ada', customId: 'one', metadata: { kind: 'note' } });
  assert.equal(added.status, 'queued');
  assert.equal(
    (await client.add({ content: 'Ada likes green tea', containerTag: 'ada', customId: 'one', metadata: { kind: 'note' } })).id,
    added.id,
  );
  const found = await client.search({ q: 'tea', containerTag: 'ada' });
  assert.deepEqual([found.total, found.results[0]?.memory, found.results[0]?.metadata], [1, 'Ada likes green tea', { kind: 'note' }]);
  assert.equal((await client.search({ q: 'tea', containerTag: 'bob' })).total, 0);
  const profile = await client.profile({ containerTag: 'ada', q: 'tea' });
  assert.deepEqual([profile.profile.dynamic, profile.searchResults?.total], [['Ada likes green tea'], 1]);
  const listed = await client.documents.list({
    containerTags: ['ada'],
    filters: { AND: [{ key: 'kind', value: 'note' }] },
    includeContent: true,
  });
  assert.deepEqual(
    [listed.pagination.totalItems, listed.memories[0]?.content, listed.memories[0]?.customId],
    [1, 'Ada likes green tea', 'one'],
  );
  for (const index of [1, 2, 3]) await client.add({ content: `Box ${index}`, containerTag: 'cellar', customId: `box-${index}` });
  const pages = await Promise.all(
    [1, 2, 3].map((page) => client.documents.list({ containerTags: ['cellar'], includeContent: true, limit: 2, page })),
  );
  assert.deepEqual(
    pages.map(({ memories, pagination }) => [memories.map(({ content }) => content), pagination.totalPages]),
    [
      [['Box 1', 'Box 2'], 2],
      [['Box 3'], 2],
      [[], 2],
    ],
  );
  await client.documents.update(added.id, { content: 'Ada likes coffee' });
  assert.equal((await client.search({ q: 'coffee', containerTag: 'ada' })).total, 1);
  assert.equal((await client.memories.forget({ containerTag: 'ada', id: added.id })).forgotten, true);
  assert.equal((await client.search({ q: 'coffee', containerTag: 'ada' })).total, 0);
  await client.documents.delete(added.id);
  await assert.rejects(client.documents.delete(added.id), DocumentNotFound);
  await assert.rejects(client.add({ content: 'x', containerTag: 'a b' }), BadRequestError);
  const stranger = new Supermemory({ apiKey: 'wrong', baseURL: server.url, maxRetries: 0 });
  await assert.rejects(stranger.search({ q: 'tea' }), KeyRefused);
});

test("Hindsight's own client retains, recalls, reflects and works on documents as it expects", async () => {
  await using server = await openHindsightServer('k');
  const client = new HindsightClient({ baseUrl: server.url, apiKey: 'k' });
  assert.equal((await client.getVersion()).api_version, '0.9.1');
  const operationId = '00000000-0000-5000-a000-000000000001';
  const retain = () =>
    client.retain('ada', 'Ada likes tea', {
      documentId: 'one',
      async: true,
      operationId,
      metadata: { kind: 'note' },
      timestamp: '2026-03-01T10:00:00Z',
    });
  assert.deepEqual([(await retain()).operation_id, (await retain()).items_count], [operationId, 1]);
  const { results } = await client.recall('ada', 'tea');
  assert.deepEqual(
    results.map(({ text, document_id: id, metadata, occurred_start: at }) => [text, id, metadata, at]),
    [['Ada likes tea', 'one', { kind: 'note' }, '2026-03-01T10:00:00Z']],
  );
  assert.deepEqual((await client.recall('bob', 'tea')).results, []);
  assert.match((await client.reflect('ada', 'tea')).text, /Ada likes tea/);
  assert.equal((await client.getDocument('ada', 'one'))?.original_text, 'Ada likes tea');
  await client.retain('ada', 'and coffee', { documentId: 'one', updateMode: 'append' });
  assert.equal((await client.getDocument('ada', 'one'))?.original_text, 'Ada likes tea\nand coffee');
  assert.deepEqual(
    (await client.listDocuments('ada')).items.map(({ id }) => id),
    ['one'],
  );
  assert.equal((await client.listMemories('ada')).total, 1);
  for (const index of [1, 2, 3]) await client.retain('cellar', `Box ${index}`, { documentId: `box-${index}`, metadata: { kind: 'box' } });
  const listed = await Promise.all([0, 2, 4].map((offset) => client.listMemories('cellar', { limit: 2, offset })));
  assert.deepEqual(
    listed.map(({ items, total }) => [items.map(({ text, metadata }) => [text, metadata]), total]),
    [
      [
        [
          ['Box 1', { kind: 'box' }],
          ['Box 2', { kind: 'box' }],
        ],
        3,
      ],
      [[['Box 3', { kind: 'box' }]], 3],
      [[], 3],
    ],
  );
  await client.deleteDocument('ada', 'one');
  assert.equal(await client.getDocument('ada', 'one'), null);
  await assert.rejects(new HindsightClient({ baseUrl: server.url, apiKey: 'wrong' }).recall('ada', 'tea'), HindsightError);
});

/** Its package wants a native database as a peer, so it is no dependency of ours: the proof `memory-servers` installs it. */
const MEM0 = resolve('.cache/memory-sdks/node_modules/mem0ai/dist/index.mjs');
interface Mem0Client {
  add(messages: readonly object[], options: object): Promise<{ readonly status?: string }>;
  search(
    query: string,
    options: object,
  ): Promise<{
    readonly results: readonly { readonly id: string; readonly memory: string; readonly userId: string; readonly metadata: object }[];
  }>;
  getAll(options: object): Promise<{ readonly count: number; readonly results: readonly { readonly id: string }[] }>;
  get(id: string): Promise<{ readonly memory: string; readonly userId: string }>;
  update(id: string, change: { readonly text: string }): Promise<unknown>;
  delete(id: string): Promise<{ readonly message: string }>;
  ping(): Promise<void>;
}

test(
  "Mem0's own client adds, finds, lists, changes and deletes as it expects",
  { skip: existsSync(MEM0) ? false : 'mem0ai is not installed; npm run prove -- memory-servers installs it' },
  async () => {
    process.env['MEM0_TELEMETRY'] = 'false';
    const { MemoryClient } = (await import(pathToFileURL(MEM0).href)) as { MemoryClient: new (options: object) => Mem0Client };
    await using server = await openMem0Server('k');
    const client = new MemoryClient({ apiKey: 'k', host: server.url });
    await client.ping();
    assert.equal(
      (await client.add([{ role: 'user', content: 'I like tea' }], { userId: 'ada', metadata: { hermes_key: 'k1' } })).status,
      'PENDING',
    );
    const filters = { AND: [{ user_id: 'ada' }, { metadata: { hermes_key: 'k1' } }] };
    const { results } = await client.search('tea', { filters });
    assert.deepEqual(
      results.map(({ memory, userId, metadata }) => [memory, userId, metadata]),
      [['I like tea', 'ada', { hermes_key: 'k1' }]],
    );
    assert.equal((await client.search('tea', { filters: { AND: [{ user_id: 'bob' }] } })).results.length, 0);
    assert.equal((await client.getAll({ filters, page: 1, pageSize: 50 })).count, 1);
    for (const index of [1, 2, 3])
      await client.add([{ role: 'user', content: `Box ${index}` }], { userId: 'cellar', metadata: {}, infer: false });
    const cellar = { AND: [{ user_id: 'cellar' }] };
    const counts = await Promise.all(
      [1, 2, 3].map(async (page) => (await client.getAll({ filters: cellar, page, pageSize: 2 })).results.length),
    );
    assert.deepEqual(counts, [2, 1, 0]);
    const id = results[0]?.id ?? '';
    await client.update(id, { text: 'I like coffee' });
    assert.deepEqual([(await client.get(id)).memory, (await client.get(id)).userId], ['I like coffee', 'ada']);
    assert.match((await client.delete(id)).message, /deleted/);
    await assert.rejects(client.get(id), /not found/i);
    const stranger = new MemoryClient({ apiKey: 'wrong', host: server.url });
    await assert.rejects(stranger.search('tea', { filters }), /token/i);
  },
);
