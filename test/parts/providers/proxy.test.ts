import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Env } from '../../../src/base/env.ts';
import type { ModelEvent } from '../../../src/contracts/provider.ts';
import type { ProviderProfile } from '../../../src/contracts/provider-profile.ts';
import { createApiKeyAuth } from '../../../src/parts/providers/auth/api-key.ts';
import { checkHost } from '../../../src/parts/providers/checkup.ts';
import { createProvider } from '../../../src/parts/providers/client.ts';
import { httpSse } from '../../../src/parts/providers/transports/http-sse.ts';
import { createWireFormats } from '../../../src/parts/providers/wire-format.ts';
import { startWireServer } from '../../../src/testing/wire-server/index.ts';
import { deltas, failedAs, requestOf, runtimeOf } from './setup.ts';

/** Model calls through a proxy that speaks CONNECT, as those of companies do. */

async function listen(server: Server | ReturnType<typeof createSecureServer>): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  after(() => (server.closeAllConnections(), server.close()));
  return (server.address() as AddressInfo).port;
}

interface Proxy {
  readonly url: string;
  /** What it was asked for, with the credentials it was shown. */
  readonly seen: string[];
}

/** Leads every tunnel to one port of this machine, whatever name was asked for. */
async function startProxy(target: number, refusal?: string): Promise<Proxy> {
  const seen: string[] = [];
  const plain: RequestListener = (request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'}`);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify({ choices: [{ delta: { content: 'by proxy' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`);
  };
  const server = createServer(plain);
  server.on('connect', (request, socket: Socket) => {
    seen.push(`CONNECT ${request.url} ${request.headers['proxy-authorization'] ?? '-'} ${request.headers.authorization ?? '-'}`);
    if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
    const far = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.pipe(socket).pipe(far);
    });
    for (const end of [far, socket]) end.on('error', () => (far.destroy(), socket.destroy()));
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, seen };
}

const ACME: ProviderProfile = { id: 'acme', aliases: [], protocol: 'openai-chat', baseUrl: '', keyEnvs: ['ACME_KEY'] };

async function ask(baseUrl: string, env: Env, { provider = 'custom', times = 1 } = {}): Promise<readonly ModelEvent[]> {
  using transport = httpSse(env);
  const client = createProvider({
    formatOf: createWireFormats(() => undefined),
    transport,
    auth: createApiKeyAuth({
      profileOf: (id) => (id === 'acme' ? ACME : undefined),
      secret: (name) => (name === 'ACME_KEY' ? 'top-secret' : undefined),
      owned: () => [baseUrl],
    }),
    deadlinesOf: () => ({ connect: 2_000, firstByte: 2_000, idle: 2_000 }),
  });
  const runtime = runtimeOf('openai-chat', { baseUrl, provider, ...(provider === 'acme' && { credential: 'ACME_KEY' }) });
  const encoded = client.encode(requestOf('openai-chat', { runtime }));
  const events: ModelEvent[] = [];
  for (let n = 0; n < times; n++)
    for await (const event of client.stream(encoded, { signal: new AbortController().signal, estimate: 10 })) events.push(event);
  return events;
}
const detailOf = (events: readonly ModelEvent[]): string => {
  const end = events.at(-1);
  return end?.type === 'failed' ? end.failure.detail : '';
};

const hasOpenssl = spawnSync('openssl', ['version']).status === 0 ? false : 'openssl is not installed';

/** A certificate for one name, trusted by this process alone. */
function makeCertificate(name: string): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  const fresh = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  execFileSync('openssl', [...fresh, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' });
  const made = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
  return made;
}

test(
  'an https address goes through a tunnel: the proxy sees the name, its own password, and never the key',
  { skip: hasOpenssl },
  async () => {
    const made = makeCertificate('models.example');
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, made.cert]);
    after(() => setDefaultCACertificates(before));
    const keys: (string | undefined)[] = [];
    const server = createSecureServer(made, (request, response) => {
      keys.push(request.headers.authorization);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify({ choices: [{ delta: { content: 'Hello' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`);
    });
    const proxy = await startProxy(await listen(server));
    const HTTPS_PROXY = proxy.url.replace('//', '//me:secret%21@');
    const events = await ask('https://models.example/v1', { HTTPS_PROXY }, { provider: 'acme', times: 2 });
    assert.equal(deltas(events, 'text_delta'), 'HelloHello');
    const password = `Basic ${Buffer.from('me:secret!').toString('base64')}`;
    assert.deepEqual([...new Set(proxy.seen)], [`CONNECT models.example:443 ${password} -`]);
    assert.deepEqual(keys, ['Bearer top-secret', 'Bearer top-secret']);
  },
);

test('a proxy that refuses, and one that is not there, are named in the error without their password', async () => {
  const proxy = await startProxy(1, '407 Proxy Authentication Required');
  const env = { HTTPS_PROXY: proxy.url.replace('//', '//me:secret@') };
  const refused = await ask('https://models.example/v1', env);
  failedAs(refused, { type: 'network' });
  const host = new URL(proxy.url).host;
  assert.ok(detailOf(refused).includes(`models.example through the proxy ${host} (HTTPS_PROXY)`), detailOf(refused));
  assert.ok(detailOf(refused).includes('407') && !detailOf(refused).includes('secret'), detailOf(refused));
  const absent = await ask('https://models.example/v1', { https_proxy: 'http://me:secret@127.0.0.1:1' });
  assert.match(detailOf(absent), /^models\.example through the proxy 127\.0\.0\.1:1 \(https_proxy\): .*ECONNREFUSED/);
});

test('a key is never shown to a proxy on the way to an http address; without one the request goes through it', async () => {
  const proxy = await startProxy(1);
  const refused = await ask('http://models.example/v1', { HTTP_PROXY: proxy.url }, { provider: 'acme' });
  failedAs(refused, { type: 'network' });
  assert.match(detailOf(refused), /not sent, .*NO_PROXY/);
  assert.deepEqual(proxy.seen, []);
  assert.equal(deltas(await ask('http://models.example/v1', { HTTP_PROXY: proxy.url }), 'text_delta'), 'by proxy');
  assert.deepEqual(proxy.seen, ['POST http://models.example/v1/chat/completions -']);
});

test('this machine is reached directly, and so is what NO_PROXY names', async () => {
  await using server = await startWireServer({ replies: [{ text: 'near' }] });
  const proxy = await startProxy(1);
  const env = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, ALL_PROXY: proxy.url };
  assert.equal(deltas(await ask(`${server.url}/v1`, env), 'text_delta'), 'near');
  failedAs(await ask('http://models.invalid/v1', { ...env, NO_PROXY: '.invalid' }), { type: 'network' });
  assert.deepEqual(proxy.seen, []);
});

test('a kind of proxy that cannot be used is told with what to set', async () => {
  const detail = detailOf(await ask('https://models.example/v1', { ALL_PROXY: 'socks5://127.0.0.1:1080' }));
  assert.match(detail, /ALL_PROXY names a proxy of the kind socks5.*HTTPS_PROXY.*NO_PROXY/);
});

test('the doctor knocks at the proxy, names it, and says what cannot be used', async () => {
  const proxy = await startProxy(1);
  const host = new URL(proxy.url).host;
  const runtime = runtimeOf('openai-chat', { baseUrl: 'https://models.example/v1' });
  const found = await checkHost(runtime, { HTTPS_PROXY: proxy.url.replace('//', '//me:secret@') });
  assert.ok(found.ok && found.words.startsWith(`models.example through the proxy ${host} (HTTPS_PROXY), which answers`), found.words);
  const absent = await checkHost(runtime, { HTTPS_PROXY: 'http://127.0.0.1:1' });
  assert.match(absent.words, /models\.example through the proxy 127\.0\.0\.1:1 \(HTTPS_PROXY\) does not answer/);
  const socks = await checkHost(runtime, { ALL_PROXY: 'socks5://127.0.0.1:1' });
  assert.ok(!socks.ok && socks.words.includes('socks5'), socks.words);
  const inClear = runtimeOf('openai-chat', { baseUrl: 'http://models.example/v1', credential: 'ACME_KEY' });
  const refused = await checkHost(inClear, { HTTP_PROXY: proxy.url });
  assert.ok(!refused.ok && refused.cure?.includes('NO_PROXY') === true, refused.words);
});
