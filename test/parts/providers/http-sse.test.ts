import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import net from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { ServerFrame, TransportCall } from '../../../src/contracts/provider.ts';
import { httpSse } from '../../../src/parts/providers/transports/http-sse.ts';
import { TransportError } from '../../../src/parts/providers/transports/transport-error.ts';

interface Server extends AsyncDisposable {
  readonly url: string;
  readonly connections: () => number;
}

type Listener = (...given: Parameters<RequestListener>) => unknown;

async function serve(listener: Listener): Promise<Server> {
  const server = createServer((request, response) => void listener(request, response));
  let count = 0;
  server.on('connection', () => (count += 1));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, connections: () => count, [Symbol.asyncDispose]: close };
}

const callTo = (url: string, more: Partial<TransportCall> = {}): TransportCall => ({
  url,
  headers: {},
  body: '{}',
  stream: true,
  deadlines: { connect: 1000, firstByte: 1000, idle: 1000 },
  signal: new AbortController().signal,
  ...more,
});

async function framesOf(call: TransportCall, transport = httpSse(), pauseMs = 0): Promise<ServerFrame[]> {
  const frames: ServerFrame[] = [];
  for await (const together of transport.open(call)) {
    frames.push(...together);
    await sleep(pauseMs);
  }
  return frames;
}
const failsWith = (call: TransportCall, code: string, stage: string, words: RegExp = /./) =>
  assert.rejects(
    framesOf(call),
    (error) => error instanceof TransportError && error.code === code && error.stage === stage && words.test(error.message),
  );

const EVENTS = { 'content-type': 'text/event-stream' };

for (const [encoding, pack] of [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const) {
  test(`unsolicited ${encoding} is read, in events, whole answers and refusals`, async () => {
    await using server = await serve((request, response) => {
      const [status, type, body] =
        request.url === '/events'
          ? [200, 'text/event-stream', 'data: naïve 🙂\n\n']
          : [request.url === '/no' ? 429 : 200, 'application/json', '{"a":"🙂"}'];
      response.writeHead(status, { 'content-type': type, 'content-encoding': encoding }).end(pack(body));
    });
    const bodies = await Promise.all(
      ['/events', '/whole', '/no'].map(async (path) =>
        (await framesOf(callTo(`${server.url}${path}`))).map((frame) =>
          frame.type === 'event' ? frame.data : `${frame.status} ${frame.body}`,
        ),
      ),
    );
    assert.deepEqual(bodies, [['naïve 🙂'], ['200 {"a":"🙂"}'], ['429 {"a":"🙂"}']]);
  });
}

test('an answer that is compressed without saying so is read by its first bytes', async () => {
  await using server = await serve((request, response) => {
    const isWhole = request.url === '/whole';
    response.writeHead(200, isWhole ? { 'content-type': 'application/json' } : EVENTS);
    response.end(gzipSync(isWhole ? '{"a":"🙂"}' : 'data: naïve 🙂\n\n'));
  });
  const [event] = await framesOf(callTo(`${server.url}/events`));
  assert.deepEqual(event, { type: 'event', data: 'naïve 🙂' });
  const [whole] = await framesOf(callTo(`${server.url}/whole`));
  assert.equal(whole?.type === 'response' && whole.body, '{"a":"🙂"}');
});

test('an answer that only claims to be compressed is a fault of the line', async () => {
  await using server = await serve((_, response) =>
    response.writeHead(200, { ...EVENTS, 'content-encoding': 'gzip' }).end('data: plain\n\n'),
  );
  await assert.rejects(framesOf(callTo(server.url)), TransportError);
});

test('characters split over chunks arrive whole', async () => {
  const bytes = Buffer.from('data: naïve 🙂\n\nevent: end\ndata: ok\n\n');
  await using server = await serve(async (_, response) => {
    response.writeHead(200, EVENTS);
    for (const byte of bytes) {
      response.write(Buffer.from([byte]));
      await sleep(1);
    }
    response.end();
  });
  assert.deepEqual(await framesOf(callTo(server.url)), [
    { type: 'event', data: 'naïve 🙂' },
    { type: 'event', event: 'end', data: 'ok' },
  ]);
});

test('a last event without its blank line counts if it is whole', async () => {
  const endings = ['data: [DONE]', 'data: {"a":1}', 'data: {"a":'];
  await using server = await serve((_, response) => response.writeHead(200, EVENTS).end(endings.shift()));
  assert.deepEqual(await framesOf(callTo(server.url)), [{ type: 'event', data: '[DONE]' }]);
  assert.deepEqual(await framesOf(callTo(server.url)), [{ type: 'event', data: '{"a":1}' }]);
  assert.deepEqual(await framesOf(callTo(server.url)), []);
});

test('one connection serves several calls, also after an answer that was left early', async () => {
  await using server = await serve((request, response) => {
    request.resume();
    response.writeHead(200, EVENTS).end('data: 1\n\ndata: 2\n\n');
  });
  const transport = httpSse();
  for (let round = 0; round < 4; round++) {
    for await (const frames of transport.open(callTo(server.url))) {
      assert.ok(frames.every(({ type }) => type === 'event'));
      if (round % 2 === 1) break;
    }
    await sleep(10);
  }
  assert.equal(server.connections(), 1);
});

test('a refusal comes whole, up to a megabyte', async () => {
  await using server = await serve((_, response) => response.writeHead(429, { 'retry-after': '7' }).end('x'.repeat(3_000_000)));
  const [frame] = await framesOf(callTo(server.url));
  assert.ok(
    frame?.type === 'response' && frame.status === 429 && frame.headers['retry-after'] === '7' && frame.body.length === 1024 * 1024,
  );
});

test('a whole body in answer to a request for a stream', async () => {
  await using server = await serve((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'));
  const [frame] = await framesOf(callTo(server.url));
  assert.ok(frame?.type === 'response' && frame.body === '{"a":1}');
});

test('nobody is followed anywhere', async () => {
  let visits = 0;
  await using other = await serve((_, response) => {
    visits += 1;
    response.end();
  });
  await using server = await serve((_, response) => response.writeHead(307, { location: `${other.url}/v1` }).end());
  await failsWith(callTo(server.url), 'redirect', 'first_byte', new RegExp(`points to ${other.url}`));
  assert.equal(visits, 0);
});

test('each deadline has its own name', async () => {
  const deadlines = { connect: 60, firstByte: 60, idle: 60 };
  await using silent = await serve(() => undefined);
  await failsWith(callTo(silent.url, { deadlines }), 'timeout', 'first_byte');
  await using stalls = await serve((_, response) => void response.writeHead(200, EVENTS).write('data: 1\n\n'));
  await failsWith(callTo(stalls.url, { deadlines }), 'timeout', 'idle');
  // A listener that never shakes hands: TCP connects, TLS does not.
  const deaf = net.createServer(() => undefined).listen(0, '127.0.0.1');
  await once(deaf, 'listening');
  const address = deaf.address();
  await failsWith(callTo(`https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, { deadlines }), 'timeout', 'connect');
  deaf.close();
});

test('a server that only ever pings is given up when the whole call has taken too long', async () => {
  await using pings = await serve(async (_, response) => {
    response.writeHead(200, EVENTS);
    for (let beat = 0; beat < 200 && !response.destroyed; beat++) {
      response.write(': ping\n\n');
      await sleep(20);
    }
    response.end();
  });
  await failsWith(callTo(pings.url, { deadlines: { connect: 1000, firstByte: 1000, idle: 1000, total: 150 } }), 'timeout', 'idle');
});

test('any byte counts as life, and a slow reader is not a silent server', async () => {
  await using pings = await serve(async (_, response) => {
    response.writeHead(200, EVENTS);
    for (let beat = 0; beat < 8; beat++) {
      response.write(': ping\n\n');
      await sleep(100);
    }
    response.end('data: done\n\n');
  });
  // All pings together take longer than the silence that is allowed; between two of them a busy machine may pause.
  const deadlines = { connect: 5000, firstByte: 5000, idle: 600 };
  assert.deepEqual(await framesOf(callTo(pings.url, { deadlines })), [{ type: 'event', data: 'done' }]);
  await using quick = await serve((_, response) => response.writeHead(200, EVENTS).end('data: 1\n\ndata: 2\n\n'));
  assert.equal((await framesOf(callTo(quick.url, { deadlines }), httpSse(), 150)).length, 2);
});

test('trouble on the way has a code', async () => {
  await failsWith(callTo('http://127.0.0.1:9'), 'connect', 'connect');
  await failsWith(callTo('not an address'), 'connect', 'connect');
  await using plain = await serve((_, response) => response.end());
  await failsWith(callTo(plain.url.replace('http:', 'https:')), 'tls', 'connect');
  await using breaks = await serve(
    (_, response) => void response.writeHead(200, EVENTS).write('data: 1\n\n', () => response.socket?.destroy()),
  );
  await failsWith(callTo(breaks.url), 'reset', 'idle');
});

// alone: deadlines of 40 ms.
test('stop closes the socket at once', async () => {
  const closed = Promise.withResolvers<void>();
  await using server = await serve((request, response) => {
    request.socket.once('close', () => closed.resolve());
    response.writeHead(200, EVENTS).write('data: 1\n\n');
  });
  const controller = new AbortController();
  const frames = httpSse().open(callTo(server.url, { signal: controller.signal }));
  await frames.next();
  // Nobody is waiting for the next frame: the socket goes all the same.
  controller.abort();
  await closed.promise;
  await assert.rejects(frames.next(), (error) => error instanceof TransportError && error.code === 'cancelled');
});

test('silence counts from the first byte of the body, not from the headers', async () => {
  await using server = await serve(async (_, response) => {
    response.writeHead(200, EVENTS).flushHeaders();
    await sleep(150);
    response.end('data: 1\n\n');
  });
  assert.equal((await framesOf(callTo(server.url, { deadlines: { connect: 1000, firstByte: 1000, idle: 40 } }))).length, 1);
  await failsWith(callTo(server.url, { deadlines: { connect: 1000, firstByte: 40, idle: 1000 } }), 'timeout', 'first_byte');
});

/** A server of bare sockets: what each request of each connection is met with. */
async function bare(meet: (socket: net.Socket, connection: number, request: number) => void): Promise<Server> {
  let count = 0;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    const connection = (count += 1);
    let requests = 0;
    sockets.add(socket.on('error', () => undefined));
    socket.on('data', () => meet(socket, connection, (requests += 1)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    connections: () => count,
    [Symbol.asyncDispose]: close,
  };
}
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 9\r\n\r\ndata: 1\n\n';
const twice = async (url: string): Promise<readonly ServerFrame[]> => {
  const transport = httpSse();
  await framesOf(callTo(url), transport);
  await sleep(10);
  return framesOf(callTo(url), transport);
};

test('a kept socket that dies when it is used again is changed for a fresh one', async () => {
  await using server = await bare((socket, _, request) => void (request === 1 ? socket.write(ANSWER) : socket.destroy()));
  assert.deepEqual(await twice(server.url), [{ type: 'event', data: '1' }]);
  assert.equal(server.connections(), 2);
});

test('…once, and never after a byte of the answer or on a fresh connection', async () => {
  const reset = (error: unknown) => error instanceof TransportError && error.code === 'reset';
  await using gone = await bare(
    (socket, connection, request) => void (connection + request === 2 ? socket.write(ANSWER) : socket.destroy()),
  );
  await assert.rejects(twice(gone.url), reset);
  assert.equal(gone.connections(), 2);
  await using begun = await bare((socket, _, request) => void (request === 1 ? socket.write(ANSWER) : socket.end('HTTP/1.1 2')));
  await assert.rejects(twice(begun.url), TransportError);
  assert.equal(begun.connections(), 1);
  await using fresh = await bare((socket) => void socket.destroy());
  await assert.rejects(framesOf(callTo(fresh.url)), reset);
  assert.equal(fresh.connections(), 1);
});

test('a redirect that came whole leaves its socket free', async () => {
  for (const body of ['', 'moved', 'x'.repeat(20_000)]) {
    await using server = await serve((_, response) => response.writeHead(307, { location: '/elsewhere' }).end(body));
    const transport = httpSse();
    for (let call = 0; call < 3; call++) {
      await assert.rejects(framesOf(callTo(server.url), transport), TransportError);
      await sleep(20);
    }
    assert.equal(server.connections(), 1);
  }
});
