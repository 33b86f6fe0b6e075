import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openOpenViking } from '../../../../src/parts/memory/providers/openviking/provider.ts';
import { openVikingServer, type OpenVikingServer } from '../../../../src/testing/memory-servers/openviking.ts';
import { describeProvider } from './conformance.ts';
import { GUEST, never, openHome, OWNER, OWNER_IN_GROUP, turnOf } from './scene.ts';

describeProvider<OpenVikingServer>({
  name: 'openviking',
  keyVariable: 'OPENVIKING_API_KEY',
  openServer: openVikingServer,
  file: (url) => ({ endpoint: url }),
  open: openOpenViking,
  stored: ({ files, sessions }) => [
    ...files.values(),
    ...[...sessions.values()].flat().flatMap(({ role, text }) => (role === 'user' ? [text] : [])),
  ],
  keepsAtEnd: true,
  forgetsSources: true,
  searchTool: 'viking_search',
  storeTool: ['viking_remember', 'content'],
  tools: ['viking_search', 'viking_read', 'viking_browse', 'viking_remember', 'viking_add_resource'],
});

const start = async (file: Record<string, string> = {}) => {
  const server = await openVikingServer('k');
  const { options } = openHome('openviking', { endpoint: server.url, ...file }, { OPENVIKING_API_KEY: 'k' });
  const provider = openOpenViking(options);
  const call = async (name: string, input: Record<string, string>, scope = OWNER) =>
    (await provider.call?.(name, input, { ...scope, signal: never })) ?? '';
  return { server, provider, call };
};

it('lets a person read and browse what is theirs, and nothing else', async () => {
  const { server, call } = await start({ user: 'me' });
  await using _closed = server;
  await call('viking_remember', { content: 'The spare key hangs in the shed' });
  await call('viking_remember', { content: 'The attic is cold' }, GUEST);
  const [mine = '', theirs = ''] = [...server.files.keys()];
  assert.match(mine, /^viking:\/\/user\/me\/memories\/hermes\/notes\/[0-9a-f]{32}\.md$/);
  assert.match(await call('viking_read', { uri: mine }), /spare key/);
  assert.match(await call('viking_read', { uri: mine.replace('user/me', '~') }), /spare key/);
  assert.match(await call('viking_browse', {}), /"uri":"viking:\/\/user\/me\/memories\/hermes","folder":true/);
  assert.match(await call('viking_read', { uri: theirs }, GUEST), /attic/);
  const hidden = [
    [theirs, OWNER],
    [mine, GUEST],
    [mine, OWNER_IN_GROUP],
    ['viking://resources/plan.md', GUEST],
    ['viking://resources/plan.md', OWNER_IN_GROUP],
    ['viking://user/me/../other/memories/a.md', OWNER],
    ['viking://user/me/%2e%2e/other/a.md', OWNER],
    ['viking://user/meandmore/a.md', OWNER],
    ['file:///etc/passwd', OWNER],
  ] as const;
  for (const [uri, scope] of hidden) {
    await assert.rejects(call('viking_read', { uri }, scope), /cannot be read here/, uri);
    await assert.rejects(call('viking_browse', { uri }, scope), /cannot be read here/, uri);
  }
  await assert.rejects(call('viking_read', { uri: 'viking://resources/plan.md' }), /answered 404/);
});

it('has the server fetch only what could be fetched here', async () => {
  const { server, call } = await start();
  await using _closed = server;
  for (const url of ['http://127.0.0.1:1/', 'http://169.254.169.254/latest/', 'file:///etc/passwd'])
    await assert.rejects(call('viking_add_resource', { url }), /^Error: Refused/, url);
  assert.equal(server.files.size, 0);
  assert.match(
    await call('viking_add_resource', { url: 'https://93.184.215.14/a?b' }),
    /"added":"viking:\/\/user\/default\/resources\/93-184-215-14-a-b"/,
  );
});

it('keeps and looks up nothing for a person whom the server takes for another', async () => {
  const { server, provider } = await start();
  await using _closed = server;
  server.keyOf = 'alice';
  await provider.syncTurn?.(turnOf(OWNER, 'k1', 'Said by the owner'), never);
  assert.deepEqual([...server.sessions.keys()], ['alice/hermes-s-owner']);
  await assert.rejects(
    async () => provider.syncTurn?.(turnOf(GUEST, 'k2', 'Said by a guest'), never),
    /OpenViking takes telegram-user-77-\w+ for alice, so nothing is kept/,
  );
  await assert.rejects(
    async () => provider.recall?.('said', { ...GUEST, signal: never, maxChars: 100 }),
    /takes telegram-user-77-\w+ for alice/,
  );
  assert.deepEqual([...server.sessions.keys()], ['alice/hermes-s-owner']);
});

it('takes what the server wrote about the agent itself for no fact', async () => {
  const { server, provider } = await start({ user: 'me' });
  await using _closed = server;
  await provider.wrote?.({ key: 'w', operation: { action: 'add', content: 'Be careful with the stove' }, target: 'memory' }, never);
  const write = async (name: string) =>
    fetch(`${server.url}/api/v1/content/write`, {
      method: 'POST',
      headers: { 'x-api-key': 'k', 'content-type': 'application/json' },
      body: JSON.stringify({ uri: `viking://user/me/memories/${name}`, content: 'Be careful in group chats' }),
    });
  await write('soul.md');
  await write('identity.md');
  const found = (await provider.recall?.('be careful', { ...OWNER, signal: never, maxChars: 6_000 })) ?? [];
  assert.deepEqual(
    found.map(({ text }) => text),
    ['Be careful with the stove'],
  );
});
