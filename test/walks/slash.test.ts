import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
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
  assert.match(status.out, /^Session \S+ “first”\nModel: .*\nFolder: .*\nSo far: 4 messages, 2 model calls/);
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
  assert.match(none.err, /there is no session yet, so there is nothing to undo/);
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

/** A session whose second turn streams until it is stopped, or ends when it is let go. */
async function longTurn() {
  const { run, home } = stage();
  const [begun, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let answers = 0;
  const server = await startWireServer({
    answer: async ({ text }) => {
      if (answers++ !== 1) return { text: `answer ${answers}` };
      begun.resolve();
      if (!text.includes('wait for me')) return { text: 'word '.repeat(400), chunk: 5, paceMs: 100 };
      await free.promise;
      return { text: 'waited' };
    },
  });
  const chat = (...args: readonly string[]) => run(['chat', ...args, ...toServer(server.url)]);
  await chat('-q', 'first');
  return { chat, home, server, begun: begun.promise, free: free.resolve, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Until something waits in the inbox of the one session there is. */
async function somethingWaits(home: string): Promise<void> {
  await using store = await openSqliteStore({ path: resolveHome({ HERMES_HOME: home }).store, durability: 'process', notice: () => {} });
  const [session] = await store.list({});
  while ((await store.waiting(session?.id ?? '')).length === 0) await sleep(20);
}

test('/stop stops the turn of another process and says so; without a turn it says that too', async () => {
  await using the = await longTurn();
  const turn = the.chat('--continue', '-q', 'go on for long', '--json');
  await the.begun;
  const stopped = await the.chat('--continue', '-q', '/stop');
  assert.deepEqual([stopped.code, stopped.out], [0, 'The running turn was stopped.\n']);
  assert.match((await turn).out, /"exit_reason":"interrupted"/);
  const idle = await the.chat('--continue', '-q', '/stop');
  assert.deepEqual([idle.code, idle.out], [0, 'No turn is running, so there is nothing to stop.\n']);
  const next = await the.chat('--continue', '-q', 'and now');
  assert.deepEqual([next.code, next.out, the.server.requests.filter(({ method }) => method === 'POST').length], [0, 'answer 3\n', 3]);
});

test('/queue from another process is answered when the running turn is over, by the process that queued it', async () => {
  await using the = await longTurn();
  const turn = the.chat('--continue', '-q', 'wait for me');
  await the.begun;
  const queuing = the.chat('--continue', '-q', '/queue and the tests');
  await somethingWaits(the.home);
  the.free();
  const queued = await queuing;
  assert.deepEqual([queued.code, queued.out], [0, 'answer 3\n']);
  assert.match(queued.err, /It is answered when the running turn is over\./);
  assert.equal((await turn).code, 0);
});

test('/steer and /queue without a running turn are answered at once', async () => {
  await using server = await startWireServer({ answer: ({ text }) => ({ text: text.includes('hello there') ? 'hello back' : 'one' }) });
  const { run } = stage();
  const chat = (...args: readonly string[]) => run(['chat', ...args, ...toServer(server.url)]);
  await chat('-q', 'first');
  const steered = await chat('--continue', '-q', '/steer hello there');
  assert.deepEqual([steered.code, steered.out], [0, 'hello back\n']);
  assert.match(steered.err, /No turn is running, so it is answered now\./);
});

test('the answer to a text that waited is shown when the next message answers it', async () => {
  const { run, home } = stage();
  let answers = 0;
  await using server = await startWireServer({ answer: () => ({ text: `answer ${++answers}` }) });
  await run(['chat', '-q', 'first', ...toServer(server.url)]);
  {
    await using store = await openSqliteStore({ path: resolveHome({ HERMES_HOME: home }).store, durability: 'process', notice: () => {} });
    const [session] = await store.list({});
    assert.ok(session !== undefined);
    await store.post({ sessionId: session.id, mode: 'queue', content: [createTextBlock('left behind', 'owner')] });
  }
  const next = await run(['chat', '--continue', '-q', 'second', ...toServer(server.url)]);
  assert.equal(next.out, 'answer 3\n');
  assert.match(next.err, /Answer to a message that was waiting:\nanswer 2/);
});
