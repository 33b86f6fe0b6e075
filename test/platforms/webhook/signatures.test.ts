import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { Webhooks } from '@octokit/webhooks';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { verifyRequest } from '../../../src/platforms/webhook/signatures.ts';
import { SIGNATURE_SCHEMES, signAs, signRequest, type SignatureScheme } from '../../../src/base/sign-webhook.ts';
import { SECRET } from './stage.ts';

const BODY = '{"type":"note","text":"héllo ☃"}';
const NOW = Date.UTC(2026, 10, 15, 12);
const bytes = (text = BODY): Uint8Array => Buffer.from(text);
const seconds = (ms: number): string => String(Math.floor(ms / 1_000));
const verify = (
  headers: Readonly<Record<string, string>>,
  scheme: SignatureScheme | 'auto' = 'auto',
  body = bytes(),
  now = NOW,
  secret = SECRET,
) => verifyRequest({ headers, body }, { secret, scheme }, now);

describe('requests signed by others', () => {
  test('standardwebhooks: id and time are part of the signature', () => {
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': seconds(NOW),
      'webhook-signature': new StandardWebhook(SECRET).sign('msg_1', new Date(NOW), BODY),
    };
    assert.deepEqual(verify(headers), { scheme: 'standard', id: 'msg_1', once: 'id:msg_1' });
    assert.deepEqual(verify({ ...headers, 'webhook-signature': `v1,AAAA v1a,BBBB ${headers['webhook-signature']}` }), {
      scheme: 'standard',
      id: 'msg_1',
      once: 'id:msg_1',
    });
    assert.equal(verify({ ...headers, 'webhook-id': 'msg_2' }), undefined);
    assert.equal(verify({ ...headers, 'webhook-timestamp': seconds(NOW + 1_000) }), undefined);
  });

  test('standardwebhooks: a secret without its mark, and one that is no base64', () => {
    const signed = (secret: string, format?: 'raw') => ({
      'webhook-id': 'm',
      'webhook-timestamp': seconds(NOW),
      'webhook-signature': new StandardWebhook(secret, format && { format }).sign('m', new Date(NOW), BODY),
    });
    const bare = SECRET.slice('whsec_'.length);
    assert.equal(verify(signed(bare), 'standard', bytes(), NOW, bare)?.id, 'm');
    assert.equal(verify(signed('just words', 'raw'), 'standard', bytes(), NOW, 'just words')?.id, 'm');
  });

  test('svix, under its own names', () => {
    const headers = {
      'svix-id': 'msg_3',
      'svix-timestamp': seconds(NOW),
      'svix-signature': new SvixWebhook(SECRET).sign('msg_3', new Date(NOW), BODY),
    };
    assert.deepEqual(verify(headers), { scheme: 'standard', id: 'msg_3', once: 'id:msg_3' });
  });

  test('@octokit/webhooks: an id that anybody could change does not make another event', async () => {
    const signature = await new Webhooks({ secret: SECRET }).sign(BODY);
    const first = verify({ 'x-hub-signature-256': signature, 'x-github-delivery': 'guid-1' });
    const second = verify({ 'x-hub-signature-256': signature, 'x-github-delivery': 'guid-2' });
    assert.deepEqual([first?.scheme, first?.id, second?.id, first?.once === second?.once], ['github', 'guid-1', 'guid-2', true]);
  });

  test('a plain hex signature, with and without a time', () => {
    const hex = (text: string): string => createHmac('sha256', SECRET).update(text).digest('hex');
    const [plain, timed] = [hex(BODY), hex(`${seconds(NOW)}.${BODY}`)];
    assert.deepEqual(verify({ 'x-webhook-signature': plain, 'x-request-id': 'r1' }), { scheme: 'generic', id: 'r1', once: 'id:r1' });
    assert.deepEqual(verify({ 'x-webhook-signature-v2': timed, 'x-webhook-timestamp': seconds(NOW), 'x-request-id': 'r1' }), {
      scheme: 'generic_v2',
      id: 'r1',
      once: 'id:r1',
      seal: timed,
    });
    const unnamed = verify({ 'x-webhook-signature': plain });
    const isRepeatAfter = (ms: number, start: number): boolean => {
      const [first, later] = [start, start + ms].map((now) => verify({ 'x-webhook-signature': plain }, 'auto', bytes(), now));
      return [later?.once, ...(later?.earlier ?? [])].includes(first?.once);
    };
    // Whenever the first one comes.
    for (let start = NOW; start < NOW + 600_000; start += 7_000)
      assert.deepEqual(
        [0, 1_000, 270_000, 300_000].map((ms) => isRepeatAfter(ms, start)),
        [true, true, true, false],
      );
    assert.deepEqual(
      [unnamed?.id, unnamed?.once === verify({ 'x-webhook-signature': plain }, 'auto', bytes(), NOW + 600_000)?.once],
      [undefined, false],
    );
  });

  test('GitLab, which sends a token', () => {
    assert.deepEqual(verify({ 'x-gitlab-token': SECRET, 'x-gitlab-event-uuid': 'u1' }), { scheme: 'gitlab', id: 'u1', once: 'id:u1' });
    assert.equal(verify({ 'x-gitlab-token': SECRET.slice(0, -1) }), undefined);
  });
});

describe('requests that we sign', () => {
  const headers = signRequest({ secret: SECRET, id: 'k1', now: Date.now(), body: BODY });

  test('are verified by standardwebhooks, svix and @octokit/webhooks', async () => {
    assert.deepEqual(new StandardWebhook(SECRET).verify(BODY, headers), JSON.parse(BODY));
    // It gives nothing back, and throws what does not hold.
    assert.doesNotThrow(() => new SvixWebhook(SECRET).verify(BODY, headers));
    const asSvix = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.replace(/^webhook-/, 'svix-'), value]));
    assert.doesNotThrow(() => new SvixWebhook(SECRET).verify(BODY, asSvix));
    assert.equal(await new Webhooks({ secret: SECRET }).verify(BODY, `sha256=${headers['x-webhook-signature']}`), true);
  });

  test('are refused by them once a byte differs', async () => {
    const other = BODY.replace('note', 'nota');
    assert.throws(() => new StandardWebhook(SECRET).verify(other, headers));
    assert.throws(() => new SvixWebhook(SECRET).verify(other, headers));
    assert.equal(await new Webhooks({ secret: SECRET }).verify(other, `sha256=${headers['x-webhook-signature']}`), false);
  });

  test('hold for the scheme they were made for and for no other', () => {
    for (const made of SIGNATURE_SCHEMES)
      for (const wanted of SIGNATURE_SCHEMES) {
        const signed = signAs(made, { secret: SECRET, id: 'x', now: NOW, body: BODY });
        assert.equal(verify(signed, wanted)?.scheme, made === wanted ? made : undefined, `${made} as ${wanted}`);
      }
  });
});
