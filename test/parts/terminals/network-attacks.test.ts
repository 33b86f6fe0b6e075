import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import { openRoutes, type RoutesOptions } from '../../../src/parts/safety/urls/routes.ts';
import { urlSettings } from '../../../src/parts/safety/urls/settings.ts';
import { openHostGate } from '../../../src/parts/terminals/network/gate.ts';
import type { HostRules } from '../../../src/parts/terminals/network/host-list.ts';
import { createProxy } from '../../../src/parts/terminals/network/proxy.ts';
import { listening, site } from '../safety/urls/setup.ts';
import { createServer as createHttpServer } from 'node:http';
import { dialHere, PUBLIC } from './network-stage.ts';

const RULES: HostRules = {
  registries: ['registry.example'],
  ownRegistries: [],
  remotes: [],
  allowed: ['good.example', 'rebind.example', '*.wild.example'],
  denied: [],
};

/** The proxy as commands meet it, on a port of this machine; `dialed` is where it went. */
async function openProxyHere(more: Partial<RoutesOptions> & { readonly to?: number; readonly rules?: Partial<HostRules> } = {}) {
  const dialed: string[] = [];
  const routes = openRoutes({
    settings: collectDefaults(urlSettings),
    home: '/nowhere',
    resolve: async () => [PUBLIC],
    dial: async (address, port) => {
      dialed.push(`${address}:${port}`);
      return dialHere(more.to ?? 1);
    },
    ...more,
  });
  const gate = openHostGate({ rules: { ...RULES, ...more.rules }, routes, notice: () => {} });
  const proxy = createProxy(gate);
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, proxy.serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => (proxy.close(), server.close()));
  return { port: (server.address() as AddressInfo).port, dialed, gate };
}

/** Says these words and hears what comes until the other side ends. */
function say(port: number, words: string | Buffer): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket: Socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  let heard = '';
  socket.on('data', (chunk) => (heard += chunk.toString('latin1')));
  socket.on('error', () => {});
  socket.on('end', () => socket.destroy());
  socket.on('close', () => resolve(heard));
  socket.write(words);
  return promise;
}
const connectTo = (authority: string): string => `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;
const get = (url: string, headers = ''): string => `GET ${url} HTTP/1.1\r\nHost: good.example\r\n${headers}\r\n`;

test('addresses that are nobody’s to reach are refused in every spelling, and none is dialed', async () => {
  const { port, dialed } = await openProxyHere({
    rules: { allowed: ['127.0.0.1', '169.254.169.254', 'localhost:5432', 'metadata.google.internal'] },
  });
  const targets = [
    '127.0.0.1:5432',
    'localhost:5432',
    'LOCALHOST:80',
    'localhost.:80',
    '[::1]:80',
    '[::ffff:127.0.0.1]:443',
    '[::ffff:7f00:1]:443',
    '0.0.0.0:80',
    '169.254.169.254:80',
    'metadata.google.internal:80',
    '[fd00:ec2::254]:80',
    '10.0.0.1:22',
    '192.168.1.1:80',
    '100.100.100.200:80',
    'host.docker.internal:2375',
    'printer.local:631',
    'router:80',
  ];
  for (const target of targets) assert.match(await say(port, connectTo(target)), /^HTTP\/1\.1 403 /, target);
  const disguised = [
    '0x7f.1:80',
    '2130706433:80',
    '0177.0.0.1:80',
    '127.1:80',
    'user@good.example:443',
    'good.example%2f:443',
    'good.example:443/x',
    '①②⑦.0.0.1:80',
    'good.example:99999',
    'good.example',
  ];
  for (const target of disguised) assert.match(await say(port, connectTo(target)), /^HTTP\/1\.1 400 /, target);
  for (const target of targets.map((each) => each.replace(/:\d+$/, '')))
    assert.match(await say(port, get(`http://${target}/`)), /^HTTP\/1\.1 403 /, target);
  assert.deepEqual(dialed, []);
});

test('a name is connected to at the address that was judged, whatever it resolves to a moment later', async () => {
  let looks = 0;
  const { port, dialed } = await openProxyHere({ resolve: async () => (looks++ === 0 ? [PUBLIC] : ['127.0.0.1']) });
  await say(port, get('http://rebind.example/'));
  assert.deepEqual([looks, dialed], [1, [`${PUBLIC}:80`]]);
  const second = await say(port, get('http://rebind.example/'));
  assert.match(second, /403[\s\S]*rebind\.example leads to 127\.0\.0\.1, this machine \(loopback\)/);
  assert.equal(dialed.length, 1);
});

test('a host the owner named may lie in a private network; one that a star or a yes covers may not', async () => {
  const { port, dialed, gate } = await openProxyHere({ resolve: async () => ['10.1.2.3'] });
  await say(port, get('http://good.example/'));
  assert.deepEqual(dialed, ['10.1.2.3:80']);
  assert.match(await say(port, get('http://a.wild.example/')), /403[\s\S]*private network/);
  const command = gate.begin({ pause: () => {}, askHost: async () => true });
  assert.match(await say(port, get('http://asked.example/')), /403[\s\S]*private network/);
  const why = 'asked.example leads to 10.1.2.3, a private network. Add it to terminal.allowed_hosts to allow it.';
  assert.deepEqual(command.end(), [{ type: 'host', host: 'asked.example', port: 80, why }]);
  assert.equal(dialed.length, 1);
  gate.grant('asked.example', 80);
  await say(port, get('http://asked.example/'));
  assert.equal(dialed.at(-1), '10.1.2.3:80', 'the owner agreed to it after it was turned away for that');
  gate.grant('fresh.example');
  assert.match(await say(port, get('http://fresh.example/')), /403[\s\S]*private network/, 'a yes to a name is none to a private network');
});

test('one request a connection, framed anew: nothing can be smuggled behind it', async () => {
  const seen: string[] = [];
  const http = createHttpServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${request.headers.host} ${Object.keys(request.headers).toSorted().join(',')} ${body}`);
      response.end('ok');
    });
  });
  const { port: to } = await listening(http);
  const { port } = await openProxyHere({ to });
  const both = `POST http://good.example/a HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET http://evil.example/b HTTP/1.1\r\n\r\n`;
  assert.match(await say(port, both), /^HTTP\/1\.1 400 /);
  const pipelined = get('http://good.example/one') + get('http://good.example/two');
  assert.equal((await say(port, pipelined)).match(/HTTP\/1\.1 200/g)?.length, 1);
  await say(
    port,
    get('http://good.example/three', 'Connection: x-secret\r\nX-Secret: 1\r\nProxy-Authorization: Basic eA==\r\nTE: trailers\r\n'),
  );
  await say(port, 'POST http://good.example/four HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n');
  assert.deepEqual(seen, [
    'GET /one good.example connection,host ',
    'GET /three good.example connection,host ',
    'POST /four good.example connection,host,transfer-encoding abc',
  ]);
  const bad = [
    'GET http://good.example/\u0001 HTTP/1.1\r\n\r\n',
    'GET /origin HTTP/1.1\r\nHost: good.example\r\n\r\n',
    'GET ftp://good.example/ HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET http://good.example@evil.example/ HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET http://good.example\\@evil.example/ HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET http://good.example/ HTTP/1.1\r\nHost : a\r\n\r\n',
    'nonsense\r\n\r\n',
  ];
  for (const words of bad) assert.match(await say(port, words), /^HTTP\/1\.1 400 /, words);
  assert.equal(seen.length, 3);
});

test('a tunnel to port 80 serves the host it was opened for, whatever the request inside says', async () => {
  const page = await site((request, response) => response.end(`${request.headers.host}${request.url}`));
  const { port } = await openProxyHere({ to: page.port });
  const inner = 'GET /page HTTP/1.1\r\nHost: evil.example\r\n\r\n';
  assert.match(await say(port, connectTo('good.example:80') + inner), /good\.example\/page$/);
  const name = Buffer.from('good.example');
  const socks = Buffer.concat([Buffer.from([5, 1, 0, 5, 1, 0, 3, name.length]), name, Buffer.from([0, 80]), Buffer.from(inner)]);
  assert.match(await say(port, socks), /good\.example\/page$/);
});

test('headers without end are cut off, and words that are no protocol end the connection', async () => {
  const { port, dialed } = await openProxyHere();
  assert.match(await say(port, get('http://good.example/', `X: ${'a'.repeat(60_000)}\r\n`)), /^HTTP\/1\.1 400 /);
  assert.equal(
    await say(port, Buffer.from([4, 1, 0, 80, 1, 2, 3, 4, 0])).then((heard) => heard.startsWith('HTTP/1.1 400')),
    true,
    'SOCKS4',
  );
  assert.deepEqual(Buffer.from(await say(port, Buffer.from([5, 1, 2])), 'latin1'), Buffer.from([5, 255]), 'a password is no method here');
  const bind = Buffer.from([5, 1, 0, 5, 2, 0, 1, 1, 2, 3, 4, 0, 80]);
  assert.equal(Buffer.from(await say(port, bind), 'latin1')[3], 7, 'no listening for others');
  assert.deepEqual(dialed, []);
});

test('connections are bounded, and one that says nothing is let go', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { port } = await openProxyHere();
  const idle = Array.from({ length: 256 }, () => connect({ host: '127.0.0.1', port }).on('error', () => {}));
  await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  idle[0]?.write('GET http://good.example/ HTTP/1.1\r\nX: ');
  assert.equal(await say(port, connectTo('10.0.0.1:80')), '', 'the next one is turned away');
  const gone = Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('close', resolve).resume())));
  context.mock.timers.tick(30_000);
  await gone;
  assert.match(await say(port, connectTo('10.0.0.1:80')), /403/);
});

test('a program that tries host after host raises a bounded number of questions', async () => {
  const { port, gate } = await openProxyHere();
  let questions = 0;
  const command = gate.begin({ pause: () => {}, askHost: async () => (questions++, false) });
  for (let index = 0; index < 40; index++) await say(port, connectTo(`scan${index}.example:${1000 + index}`));
  assert.equal(questions, 20);
  assert.equal(command.end().length, 20);
});

test('a server that answers nonsense, or breaks off, costs its own connection and nothing else', async () => {
  const answers = [
    'HTTP/1.1 099 Odd\r\n\r\n',
    'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    'nonsense',
    '',
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\u0001: x\r\n\r\n',
  ];
  const odd = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answers.shift() ?? ''));
  });
  await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
  after(() => odd.close());
  const { port } = await openProxyHere({ to: (odd.address() as AddressInfo).port });
  const heard: string[] = [];
  while (answers.length > 0) heard.push((await say(port, get('http://good.example/'))).slice(0, 12));
  assert.deepEqual(heard, ['', 'HTTP/1.1 502', 'HTTP/1.1 502', 'HTTP/1.1 502', 'HTTP/1.1 200', 'HTTP/1.1 502', 'HTTP/1.1 502']);
  assert.match(await say(port, connectTo('10.0.0.1:80')), /403/, 'it still answers');
});

test('the way out leads through the proxy of this machine, to the address that was judged; a name only that proxy knows goes by name', async () => {
  const asked: string[] = [];
  const upstream = createHttpServer();
  upstream.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nup'));
  });
  const { port: to } = await listening(upstream);
  const env = { HTTP_PROXY: `http://127.0.0.1:${to}`, NO_PROXY: 'direct.example' };
  const known = await openProxyHere({ env });
  assert.match(await say(known.port, get('http://good.example/')), /up$/);
  const unknown = await openProxyHere({ env, resolve: async () => Promise.reject(new Error('no such name')) });
  assert.match(await say(unknown.port, get('http://good.example/')), /up$/);
  assert.deepEqual(asked, [`${PUBLIC}:80`, 'good.example:80']);
  const lonely = await openProxyHere({ resolve: async () => Promise.reject(new Error('no such name')) });
  assert.match(await say(lonely.port, get('http://good.example/')), /502[\s\S]*could not be looked up/);
});
