import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { signAs, type SignatureScheme } from '../../../src/base/sign-webhook.ts';
import { HOOK_SECRET, openWebhookScene, type WebhookScene } from './webhook-scene.ts';

const BODY = '{"text":"the body of a request"}';
const MINUTES = 60_000;

/** A request that must leave nothing behind. */
interface Row {
  readonly name: string;
  readonly status: number;
  readonly route?: string;
  readonly path?: string;
  readonly method?: string;
  readonly body?: string | Buffer;
  readonly headers: Headers | (() => Headers);
}
type Headers = Readonly<Record<string, string | readonly string[]>>;
const signed = (
  scheme: SignatureScheme,
  more: { readonly secret?: string; readonly at?: number; readonly body?: string; readonly id?: string } = {},
) => {
  const { secret = HOOK_SECRET, at = Date.now(), body = BODY, id = 'row' } = more;
  return signAs(scheme, { secret, id, now: at, body });
};
const hex = (text: string | Buffer): string => createHmac('sha256', HOOK_SECRET).update(text).digest('hex');
const raw = (body: string | Buffer): Headers => ({ 'x-webhook-signature': hex(body), 'x-request-id': 'raw' });

/** Signed when they are sent: half an hour later all of them would be refused for their age. */
const rowsOfNow = (): readonly Row[] => [...wrongSignatures(), ...wrongRequests()];

const wrongSignatures = (): readonly Row[] => [
  { name: 'no signature at all', status: 401, headers: {} },
  { name: 'an empty signature', status: 401, headers: { ...signed('standard'), 'webhook-signature': '' } },
  { name: 'a secret of somebody else', status: 401, headers: signed('standard', { secret: 'whsec_b3RoZXI=' }) },
  { name: 'a body that was altered on its way', status: 401, body: BODY.replace('body', 'bodY'), headers: signed('standard') },
  { name: 'a body with a blank more', status: 401, body: `${BODY} `, headers: signed('standard') },
  { name: 'a request of six minutes ago', status: 401, headers: signed('standard', { at: Date.now() - 6 * MINUTES }) },
  { name: 'a request from the future', status: 401, headers: signed('standard', { at: Date.now() + 6 * MINUTES }) },
  {
    name: 'an old request with a new time',
    status: 401,
    headers: { ...signed('standard', { at: Date.now() - 6 * MINUTES }), 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) },
  },
  { name: 'a request under another id', status: 401, headers: { ...signed('standard'), 'webhook-id': 'other' } },
  { name: 'a request without its id', status: 401, headers: { ...signed('standard'), 'webhook-id': '' } },
  { name: 'a time that is no number', status: 401, headers: { ...signed('standard'), 'webhook-timestamp': '1e9' } },
  { name: 'a time with a sign', status: 401, headers: { ...signed('standard'), 'webhook-timestamp': '-1' } },
  {
    name: 'a signature of another kind',
    status: 401,
    headers: () => ({ ...signed('standard'), 'webhook-signature': (signed('standard')['webhook-signature'] ?? '').replace('v1,', 'v1a,') }),
  },
  {
    name: 'half a signature',
    status: 401,
    headers: () => ({ ...signed('standard'), 'webhook-signature': (signed('standard')['webhook-signature'] ?? '').slice(0, -8) }),
  },
  {
    name: 'fifty signatures by another key',
    status: 401,
    headers: () => ({
      ...signed('standard'),
      'webhook-signature': Array.from({ length: 50 }, (_, at) => new Webhook('b3RoZXI=').sign('row', new Date(), `${at}`)).join(' '),
    }),
  },
  {
    name: 'GitHub: the old SHA-1 signature',
    route: 'gh',
    status: 401,
    headers: { 'x-hub-signature': `sha1=${createHmac('sha1', HOOK_SECRET).update(BODY).digest('hex')}` },
  },
  { name: 'GitHub: without the name of the hash', route: 'gh', status: 401, headers: { 'x-hub-signature-256': hex(BODY) } },
  { name: 'GitHub: a wrong secret', route: 'gh', status: 401, headers: signed('github', { secret: 'no' }) },
  { name: 'GitHub: to a route of another scheme', route: 'std', status: 401, headers: signed('github') },
  { name: 'hex: cut by one digit', route: 'gen', status: 401, headers: { 'x-webhook-signature': hex(BODY).slice(1) } },
  { name: 'hex: two of them', route: 'gen', status: 401, headers: { 'x-webhook-signature': [hex(BODY), hex(BODY)] } },
  {
    name: 'hex: with a time that is not signed',
    route: 'v2',
    status: 401,
    headers: { ...raw(BODY), 'x-webhook-timestamp': String(Math.floor(Date.now() / 1_000)) },
  },
  { name: 'timed: of six minutes ago', route: 'v2', status: 401, headers: signed('generic_v2', { at: Date.now() - 6 * MINUTES }) },
  {
    name: 'timed: an old one with a new time',
    route: 'v2',
    status: 401,
    headers: { ...signed('generic_v2', { at: Date.now() - 6 * MINUTES }), 'x-webhook-timestamp': String(Math.floor(Date.now() / 1_000)) },
  },
  {
    name: 'timed: taken for one without a time',
    route: 'auto',
    status: 401,
    headers: () => ({ 'x-webhook-signature': signed('generic_v2')['x-webhook-signature-v2'] ?? '' }),
  },
  {
    name: 'a strong signature that fails beside a weak one that holds',
    route: 'auto',
    status: 401,
    headers: { ...raw(BODY), 'webhook-signature': 'v1,AAAA', 'webhook-id': 'x', 'webhook-timestamp': '1' },
  },
  { name: 'GitLab: the beginning of the token', route: 'gl', status: 401, headers: { 'x-gitlab-token': HOOK_SECRET.slice(0, -1) } },
  { name: 'GitLab: an empty token', route: 'gl', status: 401, headers: { 'x-gitlab-token': '' } },
  { name: 'the secret as a bearer key', route: 'auto', status: 401, headers: { authorization: `Bearer ${HOOK_SECRET}` } },
];

const wrongRequests = (): readonly Row[] => [
  { name: 'a GET', method: 'GET', body: '', status: 405, headers: signed('standard') },
  { name: 'a DELETE', method: 'DELETE', body: '', status: 405, headers: signed('standard') },
  { name: 'a route that is not there', route: 'nowhere', status: 404, headers: signed('standard') },
  { name: 'the folder of routes', path: '/webhooks/', status: 404, headers: signed('standard') },
  { name: 'something below a route', path: '/webhooks/std/more', status: 404, headers: signed('standard') },
  { name: 'the name of what every object has', path: '/webhooks/__proto__', status: 404, headers: signed('standard') },
  { name: 'a name that is spelled in escapes', path: '/webhooks/%73td', status: 404, headers: signed('standard') },
  { name: 'a path that goes up', path: '/webhooks/x/../std', status: 400, headers: signed('standard') },
  { name: 'a path with a hidden slash', path: '/webhooks%2Fstd', status: 400, headers: signed('standard') },
  { name: 'a path with two slashes', path: '//webhooks/std', status: 400, headers: signed('standard') },
  { name: 'a name of ours that somebody else’s page has', status: 421, headers: { ...signed('standard'), host: 'rebind.example.org' } },
  { name: 'a page in a browser', status: 403, headers: { ...signed('standard'), origin: 'https://evil.example.org' } },
  { name: 'a megabyte and a byte', route: 'gen', status: 413, body: 'x'.repeat(1024 * 1024 + 1), headers: raw('x') },
  {
    name: 'the same without saying how long it is',
    route: 'gen',
    status: 413,
    body: 'x'.repeat(1024 * 1024 + 1),
    headers: { ...raw('x'), 'transfer-encoding': 'chunked' },
  },
  { name: 'signed, and no JSON', route: 'gen', status: 400, body: '{"text":', headers: raw('{"text":') },
  { name: 'signed, and a form', route: 'gen', status: 400, body: 'payload=%7B%7D', headers: raw('payload=%7B%7D') },
  {
    name: 'signed, and packed',
    route: 'gen',
    status: 400,
    body: gzipSync(BODY),
    headers: { ...raw(gzipSync(BODY)), 'content-encoding': 'gzip' },
  },
];

test(`${rowsOfNow().length} requests that must not get in: the right status, nothing stored, nothing told`, async (t) => {
  const route = (scheme: string) => ({ prompt: '{text}', scheme });
  await using scene = await openWebhookScene({
    script: () => ({ text: 'ok' }),
    webhook: {
      extra: {
        routes: {
          std: route('standard'),
          gh: route('github'),
          v2: route('generic_v2'),
          gen: route('generic'),
          gl: route('gitlab'),
          auto: route('auto'),
        },
      },
    },
  });
  for (const row of rowsOfNow())
    await t.test(row.name, async () => {
      const { status, text } = await ask(scene, row);
      assert.equal(status, row.status, text);
      for (const secret of [HOOK_SECRET, scene.root, 'at ', '.ts']) assert.ok(!text.includes(secret), text);
    });
  const { store } = scene.host();
  assert.deepEqual(await store.gateway.arrivals({}), []);
  assert.deepEqual(await store.list({}), []);
  assert.ok(!scene.log.join('\n').includes(HOOK_SECRET));
});

test('a captured request that is sent again counts once, under whatever id its signature leaves open', async () => {
  await using scene = await openWebhookScene({
    script: () => ({ text: 'ok' }),
    webhook: {
      extra: {
        routes: {
          std: { scheme: 'standard', prompt: 'x' },
          gh: { scheme: 'github', prompt: 'x' },
          v2: { scheme: 'generic_v2', prompt: 'x' },
          gen: { scheme: 'generic', prompt: 'x' },
        },
      },
    },
  });
  const again = async (route: string, headers: Readonly<Record<string, string>>, id: string) => {
    const send = (more = {}) => scene.post(route, BODY, { ...headers, ...more }).then(({ status }) => status);
    return [await send(), await send(), await send({ [id]: 'another' })];
  };
  assert.deepEqual(await again('std', signed('standard'), 'webhook-id'), [202, 200, 401]);
  assert.deepEqual(await again('gh', signed('github'), 'x-github-delivery'), [202, 200, 200]);
  assert.deepEqual(await again('v2', signed('generic_v2'), 'x-request-id'), [202, 200, 200]);
  // A plain signature says nothing of when or under what id: told on the page.
  assert.deepEqual(await again('gen', signed('generic'), 'x-request-id'), [202, 200, 202]);
  assert.equal((await scene.host().store.gateway.arrivals({ platform: 'webhook' })).length, 5);
});

/** As raw as needed: fetch would mend paths and refuse headers. */
async function ask(
  { listening }: WebhookScene,
  { route = 'std', path, method = 'POST', body = BODY, headers }: Row,
): Promise<{ status: number; text: string }> {
  const { hostname, port, pathname } = new URL(listening.url(route) ?? '');
  const given = typeof headers === 'function' ? headers() : headers;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(
    { hostname, port, path: path ?? pathname, method, headers: { ...given } as Record<string, string>, agent: false },
    resolve,
  );
  // Whoever is refused may be cut off while still sending.
  sent.on('error', reject);
  sent.end(body);
  const response = await promise;
  return { status: response.statusCode ?? 0, text: (await buffer(response)).toString('utf8') };
}
