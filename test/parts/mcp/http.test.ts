import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { readPath, parseJson, readStringAt } from '../../../src/base/json.ts';
import type { Json, JsonObject } from '../../../src/base/json-types.ts';
import { call, openIn, serverOf, tempFolder, wordsOf, NEEDS_SDK } from './setup.ts';

type Answer = (message: Json, request: IncomingMessage, response: ServerResponse) => void;

/** A server on loopback that answers `initialize` and `tools/list` as it should, and calls as the test wants. */
async function fake(onCall: Answer, first?: (request: IncomingMessage, response: ServerResponse) => boolean): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (first?.(request, response) === true) return;
      const message = parseJson(body) ?? null;
      const method = readStringAt(message, 'method');
      if (request.method !== 'POST') return void response.writeHead(405).end();
      if (readPath(message, 'id') === undefined) return void response.writeHead(202).end();
      if (method === 'initialize')
        return json(response, message, {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'fake', version: '1' },
        });
      if (method === 'tools/list') return json(response, message, { tools: [{ name: 'go', inputSchema: { type: 'object' } }] });
      onCall(message, request, response);
    });
  });
  after(() => (server.closeAllConnections(), server.close()));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}
function json(response: ServerResponse, message: Json, result: JsonObject): void {
  response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's1' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: readPath(message, 'id'), result }));
}
const done = { content: [{ type: 'text', text: 'done' }] };

test('a session the server has forgotten is begun anew, and the call that was refused is sent again', NEEDS_SDK, async () => {
  let refused = 0;
  let ran = 0;
  const url = await fake((message, _, response) => {
    if (refused++ === 0) return void response.writeHead(404).end('no such session');
    ran += 1;
    json(response, message, done);
  });
  await using mcp = await openIn(tempFolder(), [serverOf('web', { url })]);
  assert.equal(wordsOf(await call(mcp, 'mcp__web__go')), 'done');
  assert.deepEqual([refused, ran], [2, 1]);
});

/** Ways a call can be lost after it was sent: never sent again, and the next call works. */
const LOST: readonly (readonly [what: string, lose: (response: ServerResponse) => void])[] = [
  ['the connection breaks', (response) => response.destroy()],
  [
    'the stream ends without an answer',
    (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n'),
  ],
  ['the server answers 500', (response) => response.writeHead(500).end('broken')],
  ['the answer is no JSON', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"half')],
  ['the answer has no end', (response) => flood(response)],
];
for (const [what, lose] of LOST)
  test(`a call is told as lost and not repeated when ${what}`, NEEDS_SDK, async () => {
    let calls = 0;
    const url = await fake((message, _, response) => (calls++ === 0 ? lose(response) : json(response, message, done)));
    await using mcp = await openIn(tempFolder(), [serverOf('web', { url, timeout: 30 })]);
    const lost = await call(mcp, 'mcp__web__go');
    assert.equal(lost.failed, true);
    assert.match(wordsOf(lost), /lost before it answered go[^]*not repeated/);
    assert.equal(calls, 1);
    assert.equal(wordsOf(await call(mcp, 'mcp__web__go')), 'done');
  });

function flood(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('"');
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(1_000_000)));
  };
  response.on('drain', more);
  response.on('error', () => {});
  more();
}

test("the owner's headers go to the server and to nobody a redirect names", NEEDS_SDK, async () => {
  const elsewhere: (string | undefined)[] = [];
  const other = await fake(
    () => {},
    (request, response) => {
      elsewhere.push(request.headers.authorization);
      response.writeHead(500).end();
      return true;
    },
  );
  const seen: (string | undefined)[] = [];
  const url = await fake((message, request, response) => {
    seen.push(request.headers.authorization);
    json(response, message, done);
  });
  await using mcp = await openIn(tempFolder(), [serverOf('web', { url, headers: { Authorization: 'Bearer t1' } })]);
  assert.equal(wordsOf(await call(mcp, 'mcp__web__go')), 'done');
  assert.deepEqual(seen, ['Bearer t1']);
  await using named = await openIn(tempFolder(), [serverOf('web', { url: url.replace('//', '//me:pw@') })]);
  assert.equal(wordsOf(await call(named, 'mcp__web__go')), 'done');
  assert.deepEqual(seen.slice(1), ['Basic bWU6cHc=']);
  const moved = await fake(
    () => {},
    (_, response) => (response.writeHead(307, { location: other }).end(), true),
  );
  await using led = await openIn(tempFolder(), [serverOf('web', { url: moved, headers: { Authorization: 'Bearer t1' } })]);
  assert.match(led.notices.join(), /web is not available in this session/);
  assert.deepEqual(elsewhere, []);
});

test('a server that wants a token says what to do; one that is not there is tried a bounded number of times', NEEDS_SDK, async () => {
  const closed = await fake(
    () => {},
    (_, response) => (response.writeHead(401).end(), true),
  );
  await using shut = await openIn(tempFolder(), [serverOf('web', { url: closed })]);
  assert.match(shut.notices.join(), /answered 401: give it a token in headers, or set auth: oauth/);
  const pauses: number[] = [];
  const clock = { now: Date.now, sleep: async (ms: number) => void pauses.push(ms) };
  await using gone = await openIn(tempFolder(), [serverOf('web', { url: 'http://127.0.0.1:9/mcp' })], { clock, random: () => 1 });
  assert.match(gone.notices.join(), /web is not available[^]*(ECONNREFUSED|bad port|fetch failed)/);
  assert.deepEqual(pauses, [0, 250, 500]);
});
