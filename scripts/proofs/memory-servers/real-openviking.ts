/** Run by `node --test` with the address of a real OpenViking server in OPENVIKING_PROOF_URL; see prove-memory-servers.ts. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson, readPath, readStringAt } from '../../../src/base/json.ts';
import type { MemoryProvider, MemoryScope } from '../../../src/contracts/memory-provider.ts';
import { openOpenViking } from '../../../src/parts/memory/providers/openviking/provider.ts';
import { toPersonId } from '../../../src/parts/memory/providers/person.ts';
import { testMemoryProviderConformance } from '../../../src/testing/conformance/memory-provider.ts';
import { never, GUEST, openHome, OWNER, OWNER_IN_GROUP, turnOf } from '../../../test/parts/memory/providers/scene.ts';

const url = process.env['OPENVIKING_PROOF_URL'] ?? '';

/** Another user of the same server for every story, so that each begins with nothing. Guests get ids of their own by their chats. */
function start() {
  const user = `owner-${randomUUID().slice(0, 8)}`;
  const { options, root } = openHome('openviking', { endpoint: url, user }, {});
  return { user, root, options, provider: openOpenViking(options) };
}

/** Until the server has worked off what it was given: it makes memories behind a commit, and searches by what it has indexed. */
async function settle(users: readonly string[]): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    const open = await Promise.all(users.map((user) => countOpen(user)));
    if (open.every((count) => count === 0)) return;
    await sleep(250);
  }
  throw new Error('the server did not finish within 60 s');
}
async function countOpen(user: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/tasks?limit=50`, { headers: { 'x-openviking-user': user } });
  const tasks = readPath(parseJson(await answer.text()), 'result');
  return (Array.isArray(tasks) ? tasks : []).filter((task) => ['pending', 'running'].includes(readStringAt(task, 'status') ?? '')).length;
}
/** The guest of the common stories, as our client calls them there. */
const ADA = toPersonId({ sessionId: '', platform: 'telegram', userId: 'ada', chatId: 'chat-1', isOwner: false }, '');

testMemoryProviderConformance('openviking against a real server', async () => {
  const { user, root, options, provider } = start();
  return {
    provider,
    home: root,
    reopen: async () => openOpenViking(options),
    settle: () => settle([user, ADA]),
    [Symbol.asyncDispose]: async () => undefined,
  };
});

const texts = async (provider: MemoryProvider, scope: MemoryScope, query: string) =>
  ((await provider.recall?.(query, { ...scope, signal: never, maxChars: 6_000 })) ?? []).map(({ text }) => text);

describe('openviking against a real server', () => {
  it('tells who it is', async () => {
    const { user, provider } = start();
    assert.match(
      (await provider.status?.(never)) ?? '',
      new RegExp(`^connected to 127\\.0\\.0\\.1:\\d+ \\(OpenViking 0\\.5\\.2\\); your memories are those of the user ${user}$`),
    );
  });

  it('keeps people apart, although a search without an address would find what everybody has', async () => {
    const { user, provider } = start();
    const call = (name: string, input: Record<string, string>, scope: MemoryScope) =>
      provider.call?.(name, input, { ...scope, signal: never });
    await call('viking_remember', { content: `The secret word of ${user} is heron` }, OWNER);
    await settle([user]);
    const everybody = await fetch(`${url}/api/v1/search/find`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-openviking-user': 'somebody' },
      body: JSON.stringify({ query: `secret word ${user} heron`, limit: 20 }),
    });
    assert.match(await everybody.text(), /heron/, 'the server itself does not keep them apart without keys');
    assert.ok((await texts(provider, OWNER, `secret word of ${user}`)).some((text) => text.includes('heron')));
    for (const scope of [GUEST, OWNER_IN_GROUP]) {
      assert.ok(!(await texts(provider, scope, `secret word of ${user}`)).some((text) => text.includes('heron')));
      assert.doesNotMatch((await call('viking_search', { query: `secret word of ${user}` }, scope)) ?? '', /heron/);
    }
  });

  it('mirrors the built-in memory', async () => {
    const { user, provider } = start();
    const write = (key: string, operation: Parameters<NonNullable<MemoryProvider['wrote']>>[0]['operation']) =>
      provider.wrote?.({ key, operation, target: 'memory' }, never);
    await write('w1', { action: 'add', content: 'Tests run with npm test' });
    await write('w1', { action: 'add', content: 'Tests run with npm test' });
    await write('w2', { action: 'add', content: 'Deploys happen on Friday' });
    await write('w3', { action: 'replace', oldText: 'on Friday', content: 'Deploys happen on Monday' });
    await write('w4', { action: 'remove', oldText: 'npm test' });
    await write('w4', { action: 'remove', oldText: 'npm test' });
    await settle([user]);
    const found = await texts(provider, OWNER, 'deploys tests');
    assert.deepEqual(
      found.filter((text) => /Deploys|Tests/.test(text)),
      ['Deploys happen on Monday'],
    );
  });

  it('browses and reads, and commits a turn once', async () => {
    const { user, provider } = start();
    const call = async (name: string, input: Record<string, string>) =>
      (await provider.call?.(name, input, { ...OWNER, signal: never })) ?? '';
    const stored = await call('viking_remember', { content: 'The spare key hangs in the shed' });
    const uri = readStringAt(parseJson(stored), 'stored') ?? '';
    assert.match(await call('viking_read', { uri }), /spare key hangs in the shed/);
    assert.match(await call('viking_browse', {}), new RegExp(`viking://user/${user}/memories/hermes`));
    const turn = turnOf(OWNER, 'k1', 'The boiler makes noise');
    await provider.syncTurn?.(turn, never);
    await openOpenViking(start().options).syncTurn?.(turnOf(OWNER, 'k1', 'said elsewhere'), never);
    await provider.sessionEnd?.({ ...OWNER, key: 'e', reason: 'exit', turns: [turn] }, never);
    await provider.sessionEnd?.({ ...OWNER, key: 'e', reason: 'exit', turns: [turn] }, never);
    await settle([user]);
    assert.ok((await texts(provider, OWNER, 'boiler noise')).some((text) => text.includes('boiler makes noise')));
  });
});
