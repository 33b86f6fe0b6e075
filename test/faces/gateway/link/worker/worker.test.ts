import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { InboundRoute, OpenInboundRoute, PlatformAdapter, PlatformConnection } from '../../../../../src/contracts/platform-adapter.ts';
import type { AdapterHandle } from '../../../../../src/faces/gateway/link/contract.ts';
import { openEcho, textsOf } from './open-echo.ts';

const never = new AbortController().signal;
const send = (adapter: PlatformAdapter, markdown: string, signal = never) =>
  adapter.send({ chatId: 'c', key: 'k', content: { type: 'text', markdown } }, signal);

async function connect({ adapter }: AdapterHandle, signal = never): Promise<PlatformConnection> {
  const result = await adapter.connect({ cursors: [{ scope: 'updates', value: '5' }], signal });
  assert.ok(result.type === 'connected');
  return result.connection;
}
describe('an adapter in a worker', () => {
  test('is the same adapter: what it offers, gives and says crosses the threads', async () => {
    const log: string[] = [];
    const handle = await openEcho({ log: (words) => log.push(words) });
    assert.deepEqual(Object.keys(handle.adapter).toSorted(), ['connect', 'download', 'send', 'showTyping']);
    const connection = await connect(handle);
    assert.deepEqual(connection.account, { id: '7', name: 'echo' });
    const missed = await Array.fromAsync(connection.catchUp());
    assert.deepEqual(missed.map(textsOf), [['{"cursors":[{"scope":"updates","value":"5"}],"resume":null}']]);
    assert.deepEqual(await send(handle.adapter, 'log'), { type: 'sent', messageId: 'log' });
    await send(handle.adapter, 'print');
    await handle.adapter.showTyping?.({ chatId: 'c' }, never);
    const events = connection.events()[Symbol.asyncIterator]();
    const heard = [await events.next(), await events.next(), await events.next()].map(({ value }) => textsOf(value));
    assert.deepEqual(heard, [['log'], ['print'], ['typing']]);
    assert.deepEqual(await handle.adapter.download({ kind: 'image', handle: 1 }, { path: '/x', maxBytes: 1 }, never), {
      type: 'too_large',
    });
    await connection[Symbol.asyncDispose]();
    assert.deepEqual([(await events.next()).done, await connection.ended], [true, { kind: 'closed', why: 'Closed.' }]);
    await handle.terminate();
    assert.equal(await handle.failed, 'It was ended.');
    assert.deepEqual(log.toSorted(), ['a line', 'a printed line']);
  });

  test('reaches what the gateway offers, and nothing that it does not', async () => {
    const log: string[] = [];
    const asked: unknown[] = [];
    const offered = await openEcho({
      log: (words) => log.push(words),
      folder: '/home/profile',
      records: { isKnown: async (key) => key === 'e1', count: async (what, ms) => (asked.push([what, ms]), 3) },
      post: async (request) => (asked.push(request), { type: 'answered', status: 204, headers: {} }),
    });
    await send(offered.adapter, 'ask the gateway');
    await offered.terminate();
    const bare = await openEcho({ log: (words) => log.push(words) });
    await send(bare.adapter, 'ask the gateway');
    await bare.terminate();
    assert.deepEqual(
      log.map((line): unknown => JSON.parse(line)),
      [{ folder: '/home/profile', known: true, count: 3, posted: { type: 'answered', status: 204, headers: {} } }, {}],
    );
    assert.deepEqual(asked, [['calls', 1_000], { url: 'http://a', headers: {}, body: 'b' }]);
  });

  test('tells its progress by the clock of this thread', async () => {
    const handle = await openEcho({ settings: { secrets: {}, extra: { heard_ago_ms: 1_000 } } });
    const before = performance.now();
    const connection = await connect(handle);
    // A second ago, says the adapter, by a clock that began later.
    const ago = [performance.now() - connection.progress(), before - connection.progress()];
    assert.ok((ago[0] ?? 0) >= 1_000 && (ago[1] ?? 0) <= 1_000, String(ago));
    await handle.terminate();
  });

  test('hears of aborts: of a call, and of a connection', async () => {
    const handle = await openEcho();
    const stop = new AbortController();
    const connection = await connect(handle, stop.signal);
    const one = new AbortController();
    const sending = send(handle.adapter, 'wait for abort', one.signal);
    one.abort();
    assert.deepEqual(await sending, { type: 'sent', messageId: 'wait for abort' });
    stop.abort();
    assert.deepEqual(await connection.ended, { kind: 'closed', why: 'Aborted.' });
    await handle.terminate();
  });

  test('ends connections with what can be resumed, or without a worker', async () => {
    const handle = await openEcho();
    const connection = await connect(handle);
    await send(handle.adapter, 'break');
    assert.deepEqual(await connection.ended, { kind: 'broken', why: 'It broke.', resume: { session: 1 } });
    const second = await connect(handle);
    const sending = assert.rejects(send(handle.adapter, 'wait for abort'), /It was ended\./);
    const receiving = assert.rejects(second.events()[Symbol.asyncIterator]().next(), /It was ended\./);
    await handle.terminate();
    assert.deepEqual(await second.ended, { kind: 'broken', why: 'The adapter stopped: It was ended.' });
    await Promise.all([sending, receiving]);
    await assert.rejects(send(handle.adapter, 'after'), /It was ended\./);
  });

  test('listens to requests through this thread, until the connection or the worker is gone', async () => {
    const routes = new Map<string, InboundRoute>();
    const listen = async (route: InboundRoute): Promise<OpenInboundRoute> => {
      routes.set(route.path, route);
      return { port: 1, [Symbol.asyncDispose]: async () => void routes.delete(route.path) };
    };
    const handle = await openEcho({ listen });
    const connection = await connect(handle);
    const request = { method: 'POST', path: '/hook', headers: {}, body: Buffer.from('from outside') };
    assert.equal(routes.get('/hook')?.maxBytes, 10);
    assert.deepEqual(await routes.get('/hook')?.answer(request), { status: 200, body: 'got from outside' });
    await connection[Symbol.asyncDispose]();
    assert.equal(routes.size, 0);
    await connect(handle);
    assert.equal(routes.size, 1);
    await handle.terminate();
    assert.equal(routes.size, 0);
  });

  test('that does not start says why', async () => {
    await assert.rejects(openEcho({ settings: { secrets: { token: 'none' }, extra: {} } }), /The settings have no token\./);
    await assert.rejects(openEcho({ file: '/nowhere.ts' }), /Cannot find module/);
  });
});
