import assert from 'node:assert/strict';
import { connect, createServer as createTcpServer, type AddressInfo } from 'node:net';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { fetchIt, listening, reachWith, settings, site, told } from './setup.ts';

/** This machine counts as public at this one address; names lead there unless a test says otherwise. */
const HERE = '127.0.0.1';
const openHere = { open: [HERE], resolve: async () => [HERE] };
const reach = reachWith(openHere);

const secondLoopback = await (async () => {
  const probe = createTcpServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  probe.once('error', () => resolve(false));
  probe.listen(0, '127.0.0.2', () => probe.close(() => resolve(true)));
  return promise;
})();

test('a page is fetched by name: the judged address is connected to, the name stays in the request', async () => {
  const { port, seen } = await site((_, response) => response.setHeader('x-two', ['a', 'b']).end('hello'));
  const fetched = await fetchIt(reach, `http://pages.example:${port}/a?b=c#d`, { headers: { accept: 'text/html' } });
  assert.equal(told(fetched), '200 hello');
  assert.ok(fetched.ok && !fetched.cut && fetched.headers['x-two'] === 'a, b');
  assert.equal(fetched.url, `http://pages.example:${port}/a?b=c#d`);
  const [request] = seen;
  assert.deepEqual([request?.method, request?.url, request?.headers.host], ['GET', '/a?b=c', `pages.example:${port}`]);
  assert.equal(request?.headers.accept, 'text/html');
});

test(
  'a name that resolves to something else the second time reaches the judged address, and is refused at the next look',
  { skip: secondLoopback ? false : 'this system has no second loopback address' },
  async () => {
    const judged = await site((request, response) =>
      request.url === '/again' ? response.writeHead(302, { location: '/next' }).end() : response.end('judged'),
    );
    const hidden = await site((_, response) => response.end('SECRET'), '127.0.0.2', judged.port);
    const rebinding = () => {
      const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']];
      let asked = 0;
      return { open: ['127.0.0.1'], resolve: async () => answers[asked++] ?? [] };
    };
    const url = `http://rebind.example:${judged.port}`;
    assert.equal(told(await fetchIt(reachWith(rebinding()), `${url}/`)), '200 judged');
    const redirected = await fetchIt(reachWith(rebinding()), `${url}/again`);
    assert.ok(!redirected.ok && redirected.refused);
    assert.match(redirected.reason, /rebind\.example leads to 127\.0\.0\.2, this machine \(loopback\).*redirected there/);
    const checked = reachWith(rebinding());
    assert.equal((await checked.check(`${url}/`, new AbortController().signal)).allow, true);
    assert.match(told(await fetchIt(checked, `${url}/`)), /^Refused/, 'an earlier check is no judgement of a later fetch');
    assert.equal(hidden.seen.length, 0, 'the hidden server was never asked');
  },
);

test('what is refused is not connected to', async () => {
  const { port, seen } = await site((_, response) => response.end('SECRET'));
  const closed = reachWith({ resolve: async () => [HERE] });
  for (const url of [`http://127.0.0.1:${port}/`, `http://localhost:${port}/`, `http://public.example:${port}/`]) {
    const fetched = await fetchIt(closed, url);
    assert.ok(!fetched.ok && fetched.refused, url);
  }
  assert.equal(seen.length, 0);
});

test('every redirect is judged anew, ten at most', async () => {
  const targets: Record<string, string> = {
    '/relative': 'end',
    '/private': 'http://10.0.0.1/',
    '/metadata': 'http://169.254.169.254/latest/',
    '/decimal': 'http://2130706433/',
    '/file': 'file:///etc/passwd',
    '/credentials': 'http://a:b@pages.example/',
    '/port': 'http://pages.example:22/',
    '/scheme-relative': '//[::1]/',
    '/nonsense': 'http://[',
    '/scheme-relative-decimal': '//2130706433/',
    '/backslashes': 'http:\\\\127.0.0.1/',
    '/blank': '/with blank',
  };
  const { port, seen } = await site((request, response) => {
    const count = /^\/chain(\d+)$/.exec(request.url ?? '')?.[1];
    const target = count === undefined ? targets[request.url ?? ''] : count === '0' ? undefined : `/chain${Number(count) - 1}`;
    if (target === undefined) return response.end('end');
    response.writeHead(302, { location: target }).end('not this');
  });
  const go = async (path: string) => told(await fetchIt(reach, `http://pages.example:${port}${path}`));
  assert.equal(await go('/relative'), '200 end');
  assert.equal(await go('/blank'), '200 end');
  for (const [path, word] of [
    ['/private', 'private network'],
    ['/metadata', 'metadata'],
    ['/decimal', 'disguised'],
    ['/file', 'not file:'],
    ['/credentials', 'user name'],
    ['/port', 'port 22'],
    ['/scheme-relative', 'loopback'],
    ['/nonsense', 'no URL'],
    ['/scheme-relative-decimal', 'disguised'],
    ['/backslashes', 'not a whole URL'],
  ] as const)
    assert.match(await go(path), new RegExp(`^Refused: .*${word}`), path);
  assert.equal(await go('/chain10'), '200 end');
  const before = seen.length;
  assert.match(await go('/chain11'), /redirected more than 10 times/);
  assert.equal(seen.length - before, 11);
});

test('what was meant for one origin is not told to another', async () => {
  const other = await site((_, response) => response.end('other'));
  const { port } = await site((request, response) => {
    const status = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 302);
    const away = request.url?.startsWith('/away') ?? false;
    if (request.url === '/here') return response.end(`${request.method} ${request.headers.authorization ?? 'none'}`);
    response.writeHead(status, { location: away ? `http://other.example:${other.port}/` : '/here' }).end();
  });
  const headers = { authorization: 'Bearer s', 'x-api-key': 'k', cookie: 'c', 'x-subscription-token': 't', accept: 'text/html' };
  const base = `http://pages.example:${port}`;
  assert.equal(told(await fetchIt(reach, `${base}/same302`, { headers })), '200 GET Bearer s');
  assert.equal(told(await fetchIt(reach, `${base}/away302`, { headers })), '200 other');
  const got = other.seen[0]?.headers ?? {};
  assert.deepEqual(
    ['authorization', 'x-api-key', 'cookie', 'x-subscription-token', 'accept'].map((name) => got[name]),
    [undefined, undefined, undefined, undefined, 'text/html'],
  );
  const post = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } } as const;
  assert.equal(told(await fetchIt(reach, `${base}/same303`, post)), '200 GET none');
  assert.equal(told(await fetchIt(reach, `${base}/same307`, post)), '200 POST none');
  assert.match(told(await fetchIt(reach, `${base}/away307`, post)), /^Refused: the site redirected what was sent to it to other\.example/);
  assert.equal(other.seen.length, 1);
});

test('what changes something is sent as it is, to the one it is meant for and to nobody else', async () => {
  const other = await site((_, response) => response.end('other'));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await request.toArray()).join('');
    if (request.url === '/here') return void response.end(`${request.method} ${request.headers['content-length'] ?? 'none'} ${body}`);
    const [, where, status] = /^\/(here|away)(\d+)$/.exec(request.url ?? '') ?? [];
    response.writeHead(Number(status), { location: where === 'away' ? `http://other.example:${other.port}/` : '/here' }).end();
  };
  const { port } = await site((request, response) => void answer(request, response));
  const base = `http://pages.example:${port}`;
  for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
    const ask = { method, body: '{"a":1}', headers: { 'content-type': 'application/json' } };
    assert.equal(told(await fetchIt(reach, `${base}/here`, ask)), `200 ${method} 7 {"a":1}`);
    assert.equal(told(await fetchIt(reach, `${base}/here307`, ask)), `200 ${method} 7 {"a":1}`);
    assert.equal(told(await fetchIt(reach, `${base}/here303`, ask)), '200 GET none ');
    assert.match(told(await fetchIt(reach, `${base}/away308`, ask)), /^Refused: the site redirected what was sent to it to other\.example/);
    assert.equal(told(await fetchIt(reach, `${base}/away307`, { ...ask, followRedirects: false })), '307 ');
  }
  assert.equal(told(await fetchIt(reach, `${base}/here`, { method: 'DELETE' })), '200 DELETE none ');
  assert.equal(other.seen.length, 0);
});

test("the owner's back end is reached where it lies, its redirects are not followed to other places of the kind", async () => {
  const inner = await site((_, response) => response.end('SECRET'));
  const { port } = await site((request, response) =>
    request.url === '/go' ? response.writeHead(302, { location: `http://127.0.0.1:${inner.port}/` }).end() : response.end('results'),
  );
  const owned = reachWith({ owned: [`http://127.0.0.1:${port}`] });
  assert.equal(told(await fetchIt(owned, `http://127.0.0.1:${port}/search`)), '200 results');
  assert.match(told(await fetchIt(owned, `http://127.0.0.1:${port}/go`)), /^Refused: 127\.0\.0\.1 is this machine/);
  assert.equal(inner.seen.length, 0);
});

test('bodies arrive decoded, whichever encoding a server chose', async () => {
  const text = 'words '.repeat(1000);
  const bodies: Record<string, readonly [string, Buffer]> = {
    '/gzip': ['gzip', gzipSync(text)],
    '/br': ['br', brotliCompressSync(text)],
    '/deflate': ['deflate', deflateSync(text)],
    '/raw': ['deflate', deflateRawSync(text)],
    '/two': ['gzip, br', brotliCompressSync(gzipSync(text))],
    '/identity': ['identity', Buffer.from(text)],
    '/short': ['gzip', gzipSync(text).subarray(0, -8)],
  };
  const { port, seen } = await site((request, response) => {
    const [encoding, body] = bodies[request.url ?? ''] ?? ['', Buffer.alloc(0)];
    response.setHeader('content-encoding', encoding).end(body);
  });
  for (const path of Object.keys(bodies))
    assert.equal(told(await fetchIt(reach, `http://pages.example:${port}${path}`)), `200 ${text}`, path);
  assert.equal(seen[0]?.headers['accept-encoding'], 'gzip, deflate, br');
});

test('bombs are cut at the limit, in every encoding and without one', async () => {
  const zeros = Buffer.alloc(40_000_000);
  const inner = gzipSync(zeros);
  const bombs: Record<string, readonly [string, Buffer]> = {
    '/gzip': ['gzip', inner],
    '/br': ['br', brotliCompressSync(zeros, { params: { 1: 1 } })],
    '/deflate': ['deflate', deflateSync(zeros)],
    '/two': ['gzip, gzip', gzipSync(inner)],
    '/plain': ['identity', zeros.subarray(0, 5_000_000)],
    '/three': ['gzip, gzip, gzip', gzipSync(gzipSync(inner))],
    '/odd': ['compress', inner],
    '/broken': ['gzip', Buffer.from('this is not gzip')],
  };
  const { port } = await site((request, response) => {
    const [encoding, body] = bombs[request.url ?? ''] ?? ['', Buffer.alloc(0)];
    response.setHeader('content-encoding', encoding).end(body);
  });
  const go = (path: string) => fetchIt(reach, `http://pages.example:${port}${path}`, { maxBytes: 100_000 });
  for (const path of ['/gzip', '/br', '/deflate', '/two', '/plain']) {
    const fetched = await go(path);
    assert.ok(fetched.ok, path);
    assert.deepEqual([fetched.body.length, fetched.cut], [100_000, true], path);
  }
  for (const path of ['/three', '/odd']) assert.match(told(await go(path)), /encoded as .* not understood/, path);
  assert.match(told(await go('/broken')), /^The request failed: /);
});

test('a stream that never says anything of use is cut, by what came over the wire', async () => {
  const empty = gzipSync('');
  const { port } = await site((request, response) => {
    response.setHeader('content-encoding', 'gzip');
    const chunk = Buffer.concat(Array.from({ length: 2_000 }, () => empty));
    const more = (): void => void (request.socket.destroyed || response.write(chunk, () => setImmediate(more)));
    more();
  });
  const fetched = await fetchIt(reach, `http://pages.example:${port}/`, { maxBytes: 10_000 });
  assert.ok(fetched.ok && fetched.cut);
  assert.equal(fetched.body.length, 0);
});

test('silence, half an answer and a stop end a request', async () => {
  const { port } = await site((request, response) => {
    if (request.url === '/half') response.writeHead(200, { 'content-length': '100' }).write('half');
    if (request.url === '/broken') response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
  });
  const go = async (path: string, more: object) => told(await fetchIt(reach, `http://pages.example:${port}${path}`, more));
  assert.equal(await go('/silent', { timeoutMs: 50 }), 'There was no whole answer within 0.05 s.');
  assert.equal(await go('/half', { timeoutMs: 50 }), 'There was no whole answer within 0.05 s.');
  assert.match(await go('/broken', {}), /^The request failed: /);
  assert.equal(await go('/silent', { signal: AbortSignal.abort() }), 'The request was stopped.');
  const stop = new AbortController();
  const asked = go('/silent', { signal: stop.signal });
  stop.abort();
  assert.equal(await asked, 'The request was stopped.');
  const deaf = reachWith({ resolve: () => new Promise(() => {}) });
  assert.equal(told(await fetchIt(deaf, 'https://example.org/', { timeoutMs: 50 })), 'There was no whole answer within 0.05 s.');
  const gone = await site(() => {});
  const unreachable = reachWith({ open: [HERE, '::1'], resolve: async () => [HERE, '::1'] });
  const free = createTcpServer().listen(0, HERE);
  await new Promise((resolve) => free.once('listening', resolve));
  const unused = (free.address() as AddressInfo).port;
  await new Promise((resolve) => free.close(resolve));
  assert.notEqual(unused, gone.port);
  assert.match(told(await fetchIt(unreachable, `http://pages.example:${unused}/`)), /^The request failed: .*ECONNREFUSED/);
});

test('an answer with endless headers is an error, not a memory', async () => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.write('HTTP/1.1 200 OK\r\n');
    const line = `x-${'a'.repeat(1000)}: ${'b'.repeat(1000)}\r\n`;
    const more = (): void => void (socket.destroyed || socket.write(line, () => setImmediate(more)));
    more();
  });
  server.listen(0, HERE);
  await new Promise((resolve) => server.once('listening', resolve));
  after(() => server.close());
  const fetched = await fetchIt(reach, `http://pages.example:${(server.address() as AddressInfo).port}/`);
  assert.match(told(fetched), /^The request failed: .*[Hh]eader/);
});

/** A proxy that goes where it is told, and remembers where that was. */
async function proxy() {
  const asked: { readonly target: string; readonly credentials: string }[] = [];
  const server = createServer((_, response) => response.writeHead(500).end('plain requests are not for this proxy'));
  server.on('connect', (request: IncomingMessage, socket) => {
    asked.push({ target: request.url ?? '', credentials: request.headers['proxy-authorization'] ?? '' });
    const [host = '', port = ''] = (request.url ?? '').split(':');
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    socket.on('error', () => target.destroy());
  });
  return { ...(await listening(server)), asked };
}

test('proxies of the environment are used only when the settings say so, and are given judged addresses, not names', async () => {
  const { port, seen } = await site((_, response) => response.end('hello'));
  const { port: proxyPort, asked } = await proxy();
  const env = { http_proxy: `http://user:p%40ss@127.0.0.1:${proxyPort}`, NO_PROXY: 'direct.example, .inner.example' };
  const url = `http://pages.example:${port}/`;
  assert.equal(told(await fetchIt(reachWith({ ...openHere, env }), url)), '200 hello');
  assert.equal(asked.length, 0);
  const on = { ...openHere, env, settings: { ...settings, 'security.url_proxy_from_env': true } };
  assert.equal(told(await fetchIt(reachWith(on), url)), '200 hello');
  assert.deepEqual(asked, [{ target: `127.0.0.1:${port}`, credentials: `Basic ${Buffer.from('user:p@ss').toString('base64')}` }]);
  assert.equal(seen.at(-1)?.headers.host, `pages.example:${port}`);
  for (const host of ['direct.example', 'a.inner.example'])
    assert.equal(told(await fetchIt(reachWith(on), `http://${host}:${port}/`)), '200 hello', host);
  assert.equal(asked.length, 1);
  assert.match(told(await fetchIt(reachWith({ ...on, resolve: async () => ['10.0.0.1'] }), url)), /^Refused/);
  assert.equal(asked.length, 1, 'the judgement is ours, proxy or not');
});
