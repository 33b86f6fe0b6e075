import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openHindsight } from '../../../../src/parts/memory/providers/hindsight/provider.ts';
import { openHindsightServer, type HindsightServer } from '../../../../src/testing/memory-servers/hindsight.ts';
import { describeProvider } from './conformance.ts';
import { GUEST, never, openHome, OWNER, turnOf } from './scene.ts';

describeProvider<HindsightServer>({
  name: 'hindsight',
  keyVariable: 'HINDSIGHT_API_KEY',
  openServer: openHindsightServer,
  file: (url) => ({ api_url: url }),
  open: openHindsight,
  stored: ({ banks }) => [...banks.values()].flatMap((bank) => [...bank.values()].map(({ original_text: text }) => text)),
  searchTool: 'hindsight_recall',
  storeTool: ['hindsight_retain', 'content'],
  tools: ['hindsight_retain', 'hindsight_recall', 'hindsight_reflect'],
});

it('has a bank for each person, and thinks only about what is in it', async () => {
  await using server = await openHindsightServer('k');
  const { options } = openHome('hindsight', { api_url: server.url, bank_id: 'mine', budget: 'low' }, { HINDSIGHT_API_KEY: 'k' });
  const provider = openHindsight(options);
  await provider.syncTurn?.(turnOf(OWNER, 'k1', 'The boiler makes noise', { foreign: ['example.org'] }), never);
  await provider.syncTurn?.(turnOf(GUEST, 'k2', 'The attic is cold'), never);
  assert.deepEqual(
    [...server.banks.keys()].map((bank) => bank.replace(/-[0-9a-f]{16}$/, '')),
    ['mine', 'telegram-user-77'],
  );
  const [fact] = (await provider.recall?.('boiler noise', { ...OWNER, signal: never, maxChars: 6_000 })) ?? [];
  assert.deepEqual([fact?.foreign, fact?.at], ['memory provider hindsight, example.org', Date.parse('2026-03-01T10:00:00Z')]);
  const reflect = (scope: typeof OWNER) => provider.call?.('hindsight_reflect', { query: 'boiler attic' }, { ...scope, signal: never });
  assert.match((await reflect(OWNER)) ?? '', /boiler makes noise/);
  assert.doesNotMatch((await reflect(OWNER)) ?? '', /attic/);
  assert.match((await reflect(GUEST)) ?? '', /attic is cold/);
});

it('needs no key for a server of its own, and knows nothing in a bank that is not there', async () => {
  await using server = await openHindsightServer('k');
  const provider = openHindsight(openHome('hindsight', { api_url: server.url }, {}).options);
  assert.equal(provider.available(), true);
  const recall = async () => provider.recall?.('anything', { ...OWNER, signal: never, maxChars: 100 });
  server.faults.push({ status: 404, body: { detail: 'Bank not found' } });
  assert.deepEqual(await recall(), []);
  await assert.rejects(recall(), /answered 401: it wants a key\. Put one in \.env as HINDSIGHT_API_KEY/);
});
