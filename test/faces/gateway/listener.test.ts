import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { InboundRequest, InboundRoute } from '../../../src/contracts/platform-adapter.ts';
import { createListener, type Listener, type ListenerOptions } from '../../../src/faces/gateway/listener.ts';

const TIMES = { requestMs: 100, answerMs: 100, drainMs: 5_000 };
const open = (log: (words: string) => void = () => {}, more: Partial<ListenerOptions> = {}): Listener =>
  createListener({ host: '127.0.0.1', port: 0, names: ['bot.example.org'], log, times: TIMES, ...more });

interface AskOptions {
  readonly path: string;
  readonly body?: string;
  readonly host?: string;
}
/** A request as a service sends it; gives the status, then the body. */
async function ask({ port }: Listener, { path, body = '', host = 'bot.example.org' }: AskOptions): Promise<readonly [number, string]> {
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers: { host, 'x-one': '1' } });
  sent.end(body);
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return [response.statusCode, text];
}
const route = (path: string, answer: InboundRoute['answer'], maxBytes = 10): InboundRoute => ({ path, maxBytes, answer });

test('requests reach the route their path lies below, and nobody else', async () => {
  await using listener = open();
  assert.equal(listener.port, undefined);
  const heard: InboundRequest[] = [];
  const note = (status: number) => async (asked: InboundRequest) => (heard.push(asked), { status, body: `${status}` });
  await using _all = await listener.listen(route('/hook', note(200)));
  const inner = await listener.listen(route('/hook/inner', note(201)));
  assert.deepEqual(await ask(listener, { path: '/hook?x=1', body: '{"a":"é"}' }), [200, '200']);
  assert.deepEqual(await ask(listener, { path: '/hook/inner/more' }), [201, '201']);
  assert.deepEqual(await ask(listener, { path: '/hooked' }), [404, '']);
  await inner[Symbol.asyncDispose]();
  assert.deepEqual(await ask(listener, { path: '/hook/inner/more' }), [200, '200']);
  assert.deepEqual(
    heard.map(({ method, path, body, headers }) => [method, path, body, headers['x-one']]),
    [
      ['POST', '/hook', '{"a":"é"}', '1'],
      ['POST', '/hook/inner/more', '', '1'],
      ['POST', '/hook/inner/more', '', '1'],
    ],
  );
  await assert.rejects(listener.listen(route('/hook', note(200))), /Another platform listens at \/hook already/);
});

test('other names, too much and answers that do not come are refused, and what breaks is told to the log alone', async () => {
  const told: string[] = [];
  await using listener = open((words) => told.push(words));
  await using _one = await listener.listen(route('/ok', async () => ({ status: 200 })));
  await using _two = await listener.listen(route('/broken', () => Promise.reject(new Error('a secret of ours'))));
  await using _three = await listener.listen(route('/slow', () => new Promise(() => {})));
  assert.deepEqual(await ask(listener, { path: '/ok', host: 'evil.example:80' }), [421, '']);
  for (const host of ['localhost:1', '127.0.0.1', '[::1]:80', 'BOT.example.org'])
    assert.equal((await ask(listener, { path: '/ok', host }))[0], 200);
  assert.deepEqual(await ask(listener, { path: '/ok', body: 'x'.repeat(11) }), [413, '']);
  assert.deepEqual(await ask(listener, { path: '/broken' }), [500, '']);
  assert.deepEqual(await ask(listener, { path: '/slow' }), [500, '']);
  assert.deepEqual(told, [
    'A request from outside could not be answered: a secret of ours',
    'A request from outside could not be answered: /slow did not answer in 0.1 s.',
  ]);
});

test('a request that never ends is cut off', async () => {
  await using listener = open();
  await using _route = await listener.listen(route('/ok', async () => ({ status: 200 })));
  const socket = connect({ host: '127.0.0.1', port: listener.port ?? 0 });
  socket.write('POST /ok HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab');
  socket.resume();
  await once(socket, 'close');
});

test('closing answers what is in hand and takes nothing new', async () => {
  const listener = open(() => {}, { times: { ...TIMES, answerMs: 5_000 } });
  const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await listener.listen(
    route('/ok', async () => {
      asked.resolve();
      await go.promise;
      return { status: 200, body: 'done' };
    }),
  );
  const answered = ask(listener, { path: '/ok' });
  await asked.promise;
  const closed = listener[Symbol.asyncDispose]();
  await assert.rejects(ask(listener, { path: '/ok' }));
  go.resolve();
  assert.deepEqual(await answered, [200, 'done']);
  await closed;
});

test('a port that is taken is told, with the setting that changes it', async () => {
  await using first = open();
  await using _route = await first.listen(route('/ok', async () => ({ status: 200 })));
  await using second = open(() => {}, { port: first.port ?? 0 });
  await assert.rejects(second.listen(route('/ok', async () => ({ status: 200 }))), /Nothing can listen at .* Set gateway\.listen_port/);
});
