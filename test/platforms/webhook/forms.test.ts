import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { readSignatureForm } from '../../../src/base/signature-form.ts';
import { signAs } from '../../../src/base/sign-webhook.ts';
import { readEntry } from '../../../src/platforms/webhook/entries.ts';
import { createPaceBook } from '../../../src/platforms/webhook/pace.ts';
import { verifyRequest } from '../../../src/platforms/webhook/signatures.ts';

const NOW = Date.UTC(2026, 10, 15, 12);

test('the signature that Slack documents holds, and only for its own time', () => {
  const secret = '8f742231b10e8888abcd99yyyzzz85a5';
  const body = Buffer.from(
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
  );
  const headers = {
    'x-slack-request-timestamp': '1531420618',
    'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  };
  const at = (now: number) => verifyRequest({ headers, body }, { secret, scheme: 'auto' }, now)?.scheme;
  assert.equal(at(1_531_420_618_000 + 60_000), 'slack');
  assert.equal(at(1_531_420_618_000 + 301_000), undefined);
  const moved = { ...headers, 'x-slack-request-timestamp': '1531420619' };
  assert.equal(verifyRequest({ headers: moved, body }, { secret, scheme: 'slack' }, 1_531_420_618_000), undefined);
});

test('Stripe: any of several signatures in the header holds, and a repeat with another time is the same event', () => {
  const secret = 'whsec_test_secret';
  const body = Buffer.from('{"id":"evt_1","type":"charge.succeeded"}');
  const sign = (at: number, key = secret) => createHmac('sha256', key).update(`${at}.`).update(body).digest('hex');
  const read = (header: string) => verifyRequest({ headers: { 'stripe-signature': header }, body }, { secret, scheme: 'stripe' }, NOW);
  const at = NOW / 1_000;
  assert.deepEqual(read(`t=${at},v1=${sign(at)},v0=6ffbb59b`), { scheme: 'stripe', id: 'evt_1', once: 'id:evt_1' });
  assert.deepEqual(read(`t=${at - 60},v1=${sign(at - 60, 'old')},v1=${sign(at - 60)}`), {
    scheme: 'stripe',
    id: 'evt_1',
    once: 'id:evt_1',
  });
  assert.equal(read(`t=${at - 301},v1=${sign(at - 301)}`), undefined);
  assert.equal(read(`t=${at + 1},v1=${sign(at)}`), undefined);
  assert.equal(read(`t=${at},v0=${sign(at)}`), undefined);
  assert.equal(read(`v1=${sign(at)}`), undefined);
});

test('Shopify, and the example of GitHub in a form of a route’s own', () => {
  const body = Buffer.from('{"a":1}');
  const headers = { 'x-shopify-hmac-sha256': createHmac('sha256', 'shh').update(body).digest('base64'), 'x-shopify-webhook-id': '7' };
  assert.deepEqual(verifyRequest({ headers, body }, { secret: 'shh', scheme: 'auto' }, NOW), { scheme: 'shopify', id: '7', once: 'id:7' });
  const read = readEntry(
    'own',
    { secret: "It's a Secret to Everybody", scheme: 'hmac', signature: 'X-Hub-Signature-256: sha256={hex}' },
    '',
  );
  assert.ok(read.type === 'route');
  const signed = { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' };
  assert.equal(verifyRequest({ headers: signed, body: Buffer.from('Hello, World!') }, read.route, NOW)?.scheme, 'hmac');
  assert.equal(verifyRequest({ headers: signed, body: Buffer.from('Hello, World?') }, read.route, NOW), undefined);
});

test('a form says where one signature stands and what it is made over, or is refused', () => {
  const why = (signature: string, signed?: string) => {
    const read = readSignatureForm(signature, signed);
    return read.ok ? 'read' : read.why;
  };
  assert.equal(why('X-Sig: {base64}'), 'read');
  assert.equal(why('X-Sig: t={timestamp},v1={hex}'), 'read');
  assert.equal(why('X-Sig: v0={hex}; X-Time: {timestamp}', 'v0:{timestamp}:{body}'), 'read');
  for (const wrong of ['X-Sig', 'X-Sig: sha256=', 'X-Sig: {hex},{base64}', 'X-Sig: {md5}', 'X Sig: {hex}', 'X-Time: {timestamp}'])
    assert.match(why(wrong), /does not say where one signature stands/, wrong);
  assert.match(why('X-Sig: {hex}', '{body}.{body}'), /must end with \{body\}/);
  assert.match(why('X-Sig: {hex}', '{timestamp}.{body}'), /counts only if it stands both/);
  assert.match(why('X-Sig: t={timestamp},v1={hex}', '{body}'), /counts only if it stands both/);
  const entry = readEntry('own', { secret: 's', scheme: 'hmac' }, '');
  assert.match(entry.type === 'problem' ? entry.why : '', /needs signature/);
});

test('a signature with a time counts once where the body names no event', () => {
  const body = '{"text":"a"}';
  const headers = signAs('slack', { secret: 'k', id: 'x', now: NOW, body });
  const { seal } = verifyRequest({ headers, body: Buffer.from(body) }, { secret: 'k', scheme: 'slack' }, NOW) ?? {};
  assert.match(seal ?? '', /^[0-9a-f]{64}$/);
});

test('events beyond the rate are planned minute by minute, over restarts, and refused only after hours', () => {
  const pace = createPaceBook(2);
  const plan = (book = pace, at = NOW) => book.plan('ci', at);
  assert.deepEqual(
    Array.from({ length: 5 }, () => plan()?.delayMs),
    [0, 0, 60_000, 60_000, 120_000],
  );
  assert.equal(pace.plan('other', NOW)?.delayMs, 0);
  const last = plan(pace, NOW + 30_000);
  assert.equal(last?.delayMs, 90_000);
  const next = createPaceBook(2);
  next.learn(last === undefined ? [] : [last.cursor]);
  assert.equal(plan(next, NOW + 30_000)?.delayMs, 150_000);
  assert.equal(plan(next, NOW + 600_000)?.delayMs, 0);
  const full = createPaceBook(1);
  const delays = Array.from({ length: 400 }, () => plan(full)?.delayMs);
  assert.equal(delays.indexOf(undefined), 361);
  assert.equal(createPaceBook(0).plan('ci', NOW), undefined);
});
