import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveHome } from '../../src/base/home.ts';
import { createTextBlock } from '../../src/contracts/message.ts';
import { openSqliteStore } from '../../src/parts/store/sqlite/store.ts';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { toServer } from './hermes.ts';
import { stage } from './stage.ts';

test('a slash command as the message: undo, retry and status of the session it goes on with, and no model hears of it', async () => {
  const { run } = stage();
  let answers = 0;
  await using server = await startWireServer({ answer: () => ({ text: `answer ${++answers}` }) });
  const chat = (...args: readonly string[]) => run(['chat', ...args, ...toServer(server.url)]);
  await chat('-q', 'first');
  await chat('--continue', '-q', 'second');
  const status = await chat('--continue', '-q', '/status');
  assert.match(status.out, /^Session \S+ “first”\nModel: .*\nFolder: .*\nSo far: 4 messages, 2 calls of models/);
  const undone = await chat('--continue', '-q', '/undo');
  assert.deepEqual([undone.code, undone.out], [0, 'Took back 1 turn, from: second\n']);
  assert.equal(server.requests.length, 2);

  const again = await chat('--continue', '-q', '/retry');
  assert.deepEqual([again.code, again.out], [0, 'answer 3\n']);
  const { messages } = (server.requests[2] ?? assert.fail()).body as {
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  };
  assert.deepEqual(
    messages.filter(({ role }) => role === 'user').map(({ content }) => content),
    ['first'],
  );
  const none = await run(['chat', '-q', '/undo', ...toServer(server.url)]);
  assert.equal(none.code, 2);
  assert.match(none.err, /there is no session yet, so nothing to take back/);
});

test('--continue goes on with the newest session of this folder, whichever terminal it was held in', async () => {
  const { run, home, cwd } = stage();
  await using server = await startWireServer({ answer: () => ({ text: 'fine' }) });
  await run(['chat', '-q', 'on the command line', ...toServer(server.url)]);
  {
    await using store = await openSqliteStore({ path: resolveHome({ HERMES_HOME: home }).store, durability: 'process', notice: () => {} });
    const { id } = await store.create({ platform: 'tui', source: 'tui', cwd, model: 'test-model', provider: 'custom' });
    const claim = await store.claim(id);
    await store.commit(claim, {
      append: [{ type: 'message', origin: 'user', message: { role: 'user', content: [createTextBlock('in the terminal', 'owner')] } }],
    });
    await store.release(claim);
    await store.create({ platform: 'telegram', source: 'telegram', cwd, model: 'test-model', provider: 'custom' });
    await run(['chat', '--continue', '-q', '/title held in a terminal', ...toServer(server.url)]);
    assert.equal((await store.find(id))[0]?.title, 'held in a terminal');
  }
});
