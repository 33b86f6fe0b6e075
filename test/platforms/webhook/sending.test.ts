import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { SendResult } from '../../../src/contracts/platform-adapter.ts';
import { postMessage } from '../../../src/platforms/webhook/sending.ts';
import { post } from './scene.ts';
import { SECRET, startReceiver, type ReceiverAnswer } from './stage.ts';

const NOW = Date.now();
const send = (url: string): Promise<SendResult> =>
  postMessage(
    { name: 't', url, secret: SECRET },
    { chatId: 't', key: 'k1', content: { type: 'text', markdown: 'hello' } },
    { post, now: () => NOW, signal: new AbortController().signal },
  );

test('what a receiver answers decides whether it is tried again, and when', async () => {
  await using receiver = await startReceiver(SECRET);
  const later = new Date(NOW + 90_000).toUTCString();
  const why = (status: number): string => `the receiver answered ${status}`;
  const rows: readonly (readonly [ReceiverAnswer, SendResult])[] = [
    [{ status: 200 }, { type: 'sent', messageId: 'k1' }],
    [{ status: 202 }, { type: 'sent', messageId: 'k1' }],
    [{ status: 429 }, { type: 'limited', retryAfterMs: 60_000, scope: 'chat' }],
    [
      { status: 429, headers: { 'retry-after': '7' } },
      { type: 'limited', retryAfterMs: 7_000, scope: 'chat' },
    ],
    [
      { status: 429, headers: { 'retry-after': '99999999' } },
      { type: 'limited', retryAfterMs: 86_400_000, scope: 'chat' },
    ],
    [
      { status: 429, headers: { 'retry-after': 'soon' } },
      { type: 'limited', retryAfterMs: 60_000, scope: 'chat' },
    ],
    [
      { status: 503, headers: { 'retry-after': later } },
      { type: 'limited', retryAfterMs: Date.parse(later) - NOW, scope: 'chat' },
    ],
    [{ status: 503 }, { type: 'not_sent', why: why(503) }],
    [{ status: 500 }, { type: 'not_sent', why: why(500) }],
    [{ status: 408 }, { type: 'not_sent', why: why(408) }],
    [{ status: 410 }, { type: 'dead', why: `${why(410)}: it wants nothing more` }],
    [{ status: 401 }, { type: 'refused', why: why(401) }],
    [{ status: 404 }, { type: 'refused', why: why(404) }],
  ];
  for (const [answer, result] of rows) {
    receiver.next(answer);
    assert.deepEqual(await send(receiver.url), result);
  }
});

test('a redirect is not followed, and nothing of the message gets there', async () => {
  let calls = 0;
  const other = createServer((_request, response) => {
    calls++;
    response.end();
  });
  await once(other.listen(0, '127.0.0.1'), 'listening');
  await using receiver = await startReceiver(SECRET);
  for (const status of [301, 302, 303, 307, 308]) {
    receiver.next({ status, headers: { location: `http://127.0.0.1:${(other.address() as AddressInfo).port}/` } });
    assert.deepEqual(await send(receiver.url), {
      type: 'refused',
      why: `the receiver answered ${status}, a redirect; set the address it leads to`,
    });
  }
  assert.equal(calls, 0);
  other.close();
});

test('an address that leads nowhere is tried again later', async () => {
  assert.match((await send('http://127.0.0.1:1/hook')).type, /^(?:not_sent|unknown)$/);
  assert.equal((await send('https://nowhere.invalid/hook')).type, 'not_sent');
});
