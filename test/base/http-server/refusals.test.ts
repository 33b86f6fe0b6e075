import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBearer } from '../../../src/base/http-server/bearer.ts';
import { ask, BRIEF, open, routeAt, sendRaw, type AskOptions } from './stage.ts';

const REFUSED: readonly (readonly [string, number, AskOptions])[] = [
  ['a name that is not ours', 421, { headers: ['Host: evil.example:80'] }],
  ['an address that is not ours', 421, { headers: ['Host: 10.1.2.3'] }],
  ['no name', 421, { headers: ['Host:'] }],
  ['two names', 400, { headers: ['Host: localhost', 'Host: evil.example'] }],
  ['a page of another origin', 403, { headers: ['Origin: https://evil.example'] }],
  ['a page without an origin', 403, { headers: ['Origin: null'] }],
  [
    'the question of a browser for such a page',
    403,
    { method: 'OPTIONS', headers: ['Origin: https://evil.example', 'Access-Control-Request-Method: POST'] },
  ],
  ['two credentials', 400, { headers: ['Authorization: Bearer a', 'Authorization: Bearer b'] }],
  ['too much', 413, { method: 'POST', body: 'x'.repeat(11) }],
  ['two slashes', 400, { path: '//ok' }],
  ['a way up', 400, { path: '/other/../ok' }],
  ['a hidden way up', 400, { path: '/other/%2e%2e/ok' }],
  ['a hidden slash', 400, { path: '/ok%2Fmore' }],
  ['a backslash', 400, { path: '/ok\\more' }],
  ['a hidden end', 400, { path: '/ok%00' }],
  ['a fragment', 400, { path: '/ok#more' }],
  ['the address of another', 400, { path: 'http://evil.example/ok' }],
  ['a length and an encoding', 400, { method: 'POST', headers: ['Transfer-Encoding: chunked'], body: '0\r\n\r\n' }],
  ['two lengths', 400, { method: 'POST', headers: ['Content-Length: 3'], body: 'abc' }],
  ['headers that are too large', 431, { headers: [`X-Large: ${'x'.repeat(20_000)}`] }],
  ['a path that leads nowhere', 404, { path: '/okay' }],
];

test('what could be read in two ways, comes from elsewhere or is too much is refused, and no route hears of it', async () => {
  let heard = 0;
  await using listeners = open();
  const answer = async () => ({ status: 200, body: `${++heard}` });
  const { port } = await listeners.listen(routeAt('/ok', answer));
  for (const [what, status, asked] of REFUSED) {
    const got = await ask(port, asked);
    assert.deepEqual([what, got.status, got.body], [what, status, '']);
  }
  assert.equal(heard, 0);
  for (const host of ['localhost:1', '127.0.0.1', '[::1]:80', 'BOT.example.org'])
    assert.equal((await ask(port, { headers: [`Host: ${host}`] })).status, 200);
  for (const header of ['Origin: http://localhost', 'X-Any: 1']) assert.equal((await ask(port, { headers: [header] })).status, 200);
});

test('a page of an origin that was named may call, and its browser is told so', async () => {
  await using listeners = open();
  const more = { origins: ['https://page.example'], exposed: ['x-id'] };
  const { port } = await listeners.listen(routeAt('/ok', async () => ({ status: 200, headers: { 'x-id': '1' } }), more));
  const { status, headers } = await ask(port, { headers: ['Origin: https://page.example'] });
  assert.deepEqual(
    [
      status,
      headers['access-control-allow-origin'],
      headers['access-control-expose-headers'],
      headers['vary'],
      headers['x-content-type-options'],
    ],
    [200, 'https://page.example', 'x-id', 'Origin', 'nosniff'],
  );
  const asked = ['Origin: https://page.example', 'Access-Control-Request-Method: POST', 'Access-Control-Request-Headers: authorization'];
  const preflight = await ask(port, { method: 'OPTIONS', headers: asked });
  assert.deepEqual(
    [preflight.status, preflight.headers['access-control-allow-headers'], preflight.headers['access-control-max-age']],
    [204, 'authorization', '600'],
  );
});

test('a request that never ends is cut off', async () => {
  await using listeners = open(BRIEF);
  const { port } = await listeners.listen(routeAt('/ok'));
  for (const beginning of ['POST /ok HTTP/1.1\r\nHost: local', 'POST /ok HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab'])
    assert.match(await sendRaw(port, beginning), /^HTTP\/1\.1 408 /);
});

test('who is refused before the body is not asked for the body, and still hears why when it sends one', async () => {
  await using listeners = open();
  const check = ({ headers }: { headers: Readonly<Record<string, string>> }) =>
    headers['authorization'] === 'Bearer right' ? undefined : { status: 401, body: 'no' };
  const { port } = await listeners.listen(routeAt('/ok', async ({ body }) => ({ status: 200, body: body.toString() }), { check }));
  const expecting = (key: string) =>
    sendRaw(
      port,
      `POST /ok HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n`,
      '\r\n\r\n',
    );
  assert.match(await expecting('wrong'), /^HTTP\/1\.1 401 /);
  assert.match(await expecting('right'), /^HTTP\/1\.1 100 /);
  const { status, body } = await ask(port, { method: 'POST', body: 'x'.repeat(5_000_000) });
  assert.deepEqual([status, body], [401, 'no']);
});

test('a key is found by its whole value, in the header it belongs in', () => {
  const keys = [
    { name: 'main', key: 'one' },
    { name: 'phone', key: 'two' },
    { name: 'empty', key: '' },
  ];
  const found = ['Bearer one', 'bearer  two', 'Bearer on', 'Bearer one two', 'Basic one', 'one', 'Bearer ', '', undefined].map((header) =>
    findBearer(header, keys),
  );
  assert.deepEqual(found, ['main', 'phone', ...Array<undefined>(7).fill(undefined)]);
});
