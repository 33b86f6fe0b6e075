import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { HttpRequest } from '../../../src/base/http-server/contract.ts';
import { ask, BRIEF, open, routeAt, sendRaw } from './stage.ts';

test('requests reach the route their path lies below, and nobody else', async () => {
  await using listeners = open();
  const heard: HttpRequest[] = [];
  const note = (status: number) => async (asked: HttpRequest) => (heard.push(asked), { status, body: `${status}` });
  const { port } = await listeners.listen(routeAt('/hook', note(200)));
  const inner = await listeners.listen(routeAt('/hook/inner', note(201)));
  const statusOf = async (path: string, body = '') => (await ask(port, { method: 'POST', path, body, headers: ['X-One: 1'] })).status;
  assert.equal(await statusOf('/hook?x=1', '{"a":"é"}'), 200);
  assert.equal(await statusOf('/hook/inner/more'), 201);
  assert.equal(await statusOf('/hooked'), 404);
  await inner[Symbol.asyncDispose]();
  assert.equal(await statusOf('/hook/inner/more'), 200);
  assert.deepEqual(
    heard.map(({ method, path, query, body, headers }) => [method, path, query.get('x'), body.toString(), headers['x-one']]),
    [
      ['POST', '/hook', '1', '{"a":"é"}', '1'],
      ['POST', '/hook/inner/more', null, '', '1'],
      ['POST', '/hook/inner/more', null, '', '1'],
    ],
  );
  await assert.rejects(listeners.listen(routeAt('/hook')), /Something listens at \/hook already/);
});

test('each address and port has a server of its own, with its own routes', async () => {
  await using listeners = open();
  const one = await listeners.listen(routeAt('/one'));
  await using other = open();
  const { port } = await other.listen(routeAt('/none'));
  await other[Symbol.asyncDispose]();
  const two = await listeners.listen(routeAt('/two'), { port });
  assert.equal(two.port, port);
  const statuses = (at: number) => Promise.all(['/one', '/two'].map(async (path) => (await ask(at, { path })).status));
  assert.deepEqual(
    [await statuses(one.port), await statuses(two.port)],
    [
      [200, 404],
      [404, 200],
    ],
  );
});

test('a port is given up with its last route, after what is in hand is answered, and can be listened at again', async () => {
  await using listeners = open();
  const stays = await listeners.listen(routeAt('/stays'));
  const free = await findFreePort();
  const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const answer = async () => (asked.resolve(), await go.promise, { status: 200, body: 'done' });
  const one = await listeners.listen(routeAt('/one', answer), { port: free });
  const two = await listeners.listen(routeAt('/two'), { port: free });
  const answered = ask(free, { path: '/one' });
  await asked.promise;
  await one[Symbol.asyncDispose]();
  assert.equal((await ask(free, { path: '/two' })).status, 200, 'it has a route still');
  await two[Symbol.asyncDispose]();
  await two[Symbol.asyncDispose]();
  while (await isListening(free)) await setImmediate();
  assert.deepEqual(
    listeners.places.map(({ port }) => port),
    [stays.port],
  );
  const again = listeners.listen(routeAt('/again'), { port: free });
  go.resolve();
  assert.deepEqual([(await answered).body, (await again).port], ['done', free]);
  assert.equal((await ask(free, { path: '/again' })).status, 200);
});

/** A port that was free a moment ago. */
async function findFreePort(): Promise<number> {
  await using other = open();
  return (await other.listen(routeAt('/none'))).port;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  const isOpen = await new Promise<boolean>((resolve) => socket.once('connect', () => resolve(true)).once('error', () => resolve(false)));
  socket.destroy();
  return isOpen;
}

test('what breaks is told to the log alone, and an answer that does not come is given up', async () => {
  const told: string[] = [];
  await using listeners = open({ ...BRIEF, log: (words) => void told.push(words) });
  await listeners.listen(routeAt('/broken', () => Promise.reject(new Error('a secret of ours'))));
  const { port } = await listeners.listen(routeAt('/slow', () => new Promise(() => {})));
  const refuse = ({ status, reason }: { status: number; reason: string }) => ({ status, body: reason });
  await listeners.listen(routeAt('/told', () => Promise.reject(new Error('x')), { refuse }));
  for (const [path, body] of [
    ['/broken', ''],
    ['/slow', ''],
    ['/told', 'failed'],
  ] as const) {
    const answer = await ask(port, { path });
    assert.deepEqual([answer.status, answer.body], [500, body]);
  }
  assert.deepEqual(told, [
    'A request from outside could not be answered: a secret of ours',
    'A request from outside could not be answered: /slow did not answer in 0.1 s.',
    'A request from outside could not be answered: x',
  ]);
});

test('closing answers what is in hand and takes nothing new', async () => {
  const listeners = open();
  const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { port } = await listeners.listen(
    routeAt('/ok', async () => {
      asked.resolve();
      await go.promise;
      return { status: 200, body: 'done' };
    }),
  );
  const answered = ask(port);
  await asked.promise;
  const closed = listeners[Symbol.asyncDispose]();
  assert.equal(await sendRaw(port, 'GET /ok HTTP/1.1\r\nHost: localhost\r\n\r\n'), '');
  go.resolve();
  const { status, body } = await answered;
  assert.deepEqual([status, body], [200, 'done']);
  await closed;
  await assert.rejects(listeners.listen(routeAt('/late')), /closing/);
});

test('a port that is taken is told, with what to do about it', async () => {
  await using first = open();
  const { port } = await first.listen(routeAt('/ok'));
  await using second = open({ port });
  await assert.rejects(second.listen(routeAt('/ok')), /nothing can listen at .*: another program listens there. Choose another\./);
  await first[Symbol.asyncDispose]();
  assert.equal((await second.listen(routeAt('/ok'))).port, port);
});
