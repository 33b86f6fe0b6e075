import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { EVENT_STREAM_HEADERS, formatEvent, streamEvents } from '../../../src/base/http-server/sse-body.ts';
import { createSseReader } from '../../../src/base/sse.ts';
import { ask, BRIEF, open, routeAt, sendRaw } from './stage.ts';

test('events arrive as they were written, one by one, with signs of life between them', async () => {
  await using listeners = open();
  const gate = Promise.withResolvers<void>();
  async function* events() {
    yield { id: '1', event: 'word', data: 'first\nsecond' };
    await gate.promise;
    yield { data: '{"a":1}' };
  }
  const answer = async () => ({ status: 200, headers: EVENT_STREAM_HEADERS, body: streamEvents(events(), 5) });
  const { port } = await listeners.listen(routeAt('/ok', answer));
  const response = await fetch(`http://127.0.0.1:${port}/ok`);
  let text = '';
  assert.ok(response.body !== null);
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes(': keep-alive')) gate.resolve();
  }
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.deepEqual(createSseReader().feed(text), [{ event: 'word', data: 'first\nsecond' }, { data: '{"a":1}' }]);
  assert.equal(formatEvent({ id: '1', data: 'a' }), 'id: 1\ndata: a\n\n');
});

test('the source of a stream hears that its client is gone', async () => {
  await using listeners = open();
  const over = Promise.withResolvers<string>();
  const { port } = await listeners.listen(
    routeAt('/ok', async ({ signal }) => ({
      status: 200,
      body: (async function* () {
        try {
          yield 'a';
          await systemClock.sleep(60_000, signal);
        } finally {
          over.resolve('over');
        }
      })(),
    })),
  );
  await sendRaw(port, 'GET /ok HTTP/1.1\r\nHost: localhost\r\n\r\n', 'a\r\n');
  assert.equal(await over.promise, 'over');
});

test('a stream waits for a client that reads slowly, and leaves one that reads nothing', async () => {
  await using listeners = open(BRIEF);
  const piece = 'x'.repeat(100_000);
  let made = 0;
  const over = Promise.withResolvers<number>();
  const body = async function* () {
    try {
      for (; made < 1_000; made++) yield piece;
    } finally {
      over.resolve(made);
    }
  };
  const { port } = await listeners.listen(routeAt('/ok', async () => ({ status: 200, body: body() })));
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => {});
  socket.write('GET /ok HTTP/1.1\r\nHost: localhost\r\n\r\n');
  assert.ok((await over.promise) < 1_000);
  socket.destroy();
  await once(socket, 'close');
});

test('a stream whose source breaks does not look finished', async () => {
  const told: string[] = [];
  await using listeners = open({ log: (words) => void told.push(words) });
  const body = async function* () {
    yield 'half';
    throw new Error('a secret of ours');
  };
  const { port } = await listeners.listen(routeAt('/ok', async () => ({ status: 200, body: body() })));
  const { body: text } = await ask(port);
  assert.ok(!text.endsWith('0\r\n\r\n') && !text.includes('secret'));
  assert.deepEqual(told, ['A request from outside could not be answered: a secret of ours']);
});
