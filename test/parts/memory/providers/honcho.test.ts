import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openHoncho } from '../../../../src/parts/memory/providers/honcho/provider.ts';
import { readPicture } from '../../../../src/parts/memory/providers/honcho/wire.ts';
import { openHonchoServer, type HonchoServer } from '../../../../src/testing/memory-servers/honcho.ts';
import { describeProvider } from './conformance.ts';
import { GUEST, never, openHome, OWNER, turnOf } from './scene.ts';

describeProvider<HonchoServer>({
  name: 'honcho',
  keyVariable: 'HONCHO_API_KEY',
  openServer: openHonchoServer,
  file: (url) => ({ baseUrl: url }),
  open: openHoncho,
  stored: ({ workspaces }) => [...workspaces.values()].flatMap(({ conclusions }) => conclusions.map(({ content }) => content)),
  forgetsSources: true,
  searchTool: 'honcho_search',
  storeTool: ['honcho_conclude', 'conclusion'],
  tools: ['honcho_profile', 'honcho_search', 'honcho_context', 'honcho_reasoning', 'honcho_conclude'],
});

const start = async (file: Record<string, unknown> = {}) => {
  const server = await openHonchoServer('k');
  const { options } = openHome('honcho', JSON.stringify({ baseUrl: server.url, ...file }), { HONCHO_API_KEY: 'k' });
  const provider = openHoncho(options);
  const call = async (name: string, input: Record<string, string>, scope = OWNER) =>
    (await provider.call?.(name, input, { ...scope, signal: never })) ?? '';
  const recall = async () => provider.recall?.('boiler', { ...OWNER, signal: never, maxChars: 6_000 });
  return { server, provider, call, recall };
};

it('has a peer for each person and an assistant for each of them, and a session that a place is mapped to', async () => {
  const { server, provider, call } = await start({ workspace: 'home', peerName: 'me', aiPeer: 'helper', sessions: { cli: 'desk' } });
  await using _closed = server;
  await provider.syncTurn?.(turnOf(OWNER, 'k1', 'The boiler makes noise'), never);
  await provider.syncTurn?.(turnOf(GUEST, 'k2', 'The attic is cold'), never);
  const home = server.workspaces.get('home');
  const plain = (name: string) => name.replace(/-[0-9a-f]{16}$/, '');
  assert.deepEqual([...(home?.peers.keys() ?? [])].map(plain), ['me', 'helper', 'telegram-user-77', 'helper-telegram-user-77']);
  assert.deepEqual([...(home?.sessions.keys() ?? [])], ['desk', 'hermes-s-guest']);
  assert.deepEqual(
    home?.messages.map(({ peer_id, content }) => `${plain(peer_id)}: ${content}`),
    ['me: The boiler makes noise', 'helper: Noted.', 'telegram-user-77: The attic is cold', 'helper-telegram-user-77: Noted.'],
  );
  assert.match(await call('honcho_reasoning', { query: 'boiler attic' }), /What is known: The boiler makes noise"/);
  assert.match(await call('honcho_context', { query: 'boiler' }), /"known":\["The boiler makes noise"\]/);
  assert.match(await call('honcho_profile', { peer: 'ai' }), /"card":\[\]/);
  const [conclusion] = home?.conclusions ?? [];
  await assert.rejects(call('honcho_conclude', { delete_id: conclusion?.id ?? '' }, GUEST), /no conclusion .* about this person/);
  await call('honcho_conclude', { delete_id: conclusion?.id ?? '' });
  assert.deepEqual(
    home?.conclusions.map(({ content }) => content),
    ['The attic is cold'],
  );
});

it('shows facts, offers tools, or both, as its mode says', async () => {
  for (const [recallMode, facts, tools] of [
    ['hybrid', 1, 5],
    ['context', 1, 0],
    ['tools', 0, 5],
  ] as const) {
    const { server, provider, recall } = await start({ recallMode });
    await using _closed = server;
    await provider.syncTurn?.(turnOf(OWNER, 'k1', 'The boiler makes noise'), never);
    assert.deepEqual([(await recall())?.length, provider.tools?.().length], [facts, tools], recallMode);
    assert.equal(/honcho_search/.test(provider.systemBlock?.(OWNER) ?? ''), tools > 0);
  }
});

it('is off when its file says so, takes the block of its host, and reads no key from a file', async () => {
  const off = openHoncho(openHome('honcho', { enabled: false }, { HONCHO_API_KEY: 'k' }).options);
  assert.match(off.unavailableReason?.() ?? '', /turned off.*hermes honcho enable/);
  const keyed = openHoncho(openHome('honcho', { apiKey: 'hch-secret' }, {}).options);
  assert.match(keyed.unavailableReason?.() ?? '', /move it to \.env as HONCHO_API_KEY/);
  assert.doesNotMatch(keyed.unavailableReason?.() ?? '', /hch-secret/);
  const { server, provider } = await start({ workspace: 'root', hosts: { hermes: { workspace: 'block' } } });
  await using _closed = server;
  await provider.syncTurn?.(turnOf(OWNER, 'k1', 'x'), never);
  assert.deepEqual([...server.workspaces.keys()], ['block']);
});

it('sends a message that is too long in parts', async () => {
  const { server, provider } = await start();
  await using _closed = server;
  await provider.syncTurn?.(turnOf(OWNER, 'k1', 'a'.repeat(50_000)), never);
  assert.deepEqual(
    server.workspaces.get('hermes')?.messages.map(({ content }) => content.length),
    [24_000, 24_000, 2_000, 6],
  );
});

it('reads a picture line by line, with times where there are some', () => {
  const representation =
    '## Explicit Observations\n\n[2026-03-01 10:00:00] likes tea\n1. lives in Bern\n- is 40\n\n## Deductive\n[2026-03-02T09:00:00Z] probably Swiss';
  assert.deepEqual(
    readPicture({ peer_card: ['Name: Ada'], representation }).map(({ text, at }) => [
      text,
      at === undefined ? '' : new Date(at).toISOString(),
    ]),
    [
      ['Name: Ada', ''],
      ['likes tea', '2026-03-01T10:00:00.000Z'],
      ['lives in Bern', ''],
      ['is 40', ''],
      ['probably Swiss', '2026-03-02T09:00:00.000Z'],
    ],
  );
  assert.deepEqual(readPicture(null), []);
});
