import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { classify, type Evidence } from '../../../src/parts/providers/failure/failure.ts';
import { ROWS } from './failure-cases.ts';

interface Case extends Evidence {
  readonly id: string;
  readonly expect: { readonly type: string } & Readonly<Record<string, unknown>>;
}
const ROOT = join(import.meta.dirname, '../../fixtures/failures');
const NOW = Date.parse('2026-10-14T09:00:00Z');

const read = (path: string): Case[] => JSON.parse(readFileSync(path, 'utf8'));
const casesIn = (folder: string): Case[] =>
  readdirSync(join(ROOT, folder))
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => read(join(ROOT, folder, file)));

/** What differs from the expectation, or '' when nothing does. */
function miss({ expect, ...evidence }: Case): string {
  const failure: Readonly<Record<string, unknown>> = { ...classify({ ...evidence, now: NOW }) };
  const wrong = Object.entries(expect).filter(([key, value]) =>
    value === 'date' ? typeof failure[key] !== 'number' : failure[key] !== value,
  );
  return wrong.map(([key, value]) => `${key}: expected ${String(value)}, got ${String(failure[key])}`).join('; ');
}

function score(folder: string): { readonly share: number; readonly misses: readonly string[]; readonly total: number } {
  const cases = casesIn(folder);
  const misses = cases.flatMap((one) => (miss(one) === '' ? [] : [`${one.id}: ${miss(one)}`]));
  return { share: 1 - misses.length / cases.length, misses, total: cases.length };
}

test('the tune half of the corpus is named rightly', (t) => {
  const { share, misses, total } = score('tune');
  t.diagnostic(`tune: ${(share * 100).toFixed(1)} % of ${total}`);
  for (const line of misses) t.diagnostic(line);
  assert.ok(share >= 0.98);
});

test('so is the half that nobody looked at', (t) => {
  const { share, misses, total } = score('held-out');
  t.diagnostic(`held-out: ${(share * 100).toFixed(1)} % of ${total}, ${misses.length} missed`);
  assert.ok(share >= 0.85);
});

for (const [name, provider, status, body, type, fields = {}, headers = {}, [estimate, window] = [12_000, 200_000]] of ROWS) {
  test(`${name} is ${type}`, () => {
    const where = status === 0 ? 'frame' : 'http';
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const evidence = {
      where,
      status: status || 200,
      headers,
      body: text,
      provider,
      model: 'm',
      protocol: 'openai-chat',
      estimate,
      window,
      now: NOW,
    } as const;
    const failure: Readonly<Record<string, unknown>> = { ...classify(evidence) };
    const seen = Object.fromEntries(Object.keys({ type, ...fields }).map((key) => [key, failure[key]]));
    assert.deepEqual(seen, { type, ...fields });
  });
}

const PROXY_413 = [
  'Request Entity Too Large: the security token of this context allows 1 MB',
  'Payload rejected in context of upstream gateway',
];
test('a 413 that only mentions tokens or context is a matter of bytes unless much was sent', () => {
  const failureOf = (body: string, estimate: number) =>
    classify({ where: 'http', status: 413, body, provider: 'p', model: 'm', protocol: 'openai-chat', estimate, window: 200_000 });
  for (const words of PROXY_413) assert.equal(failureOf(words, 9_000).type, 'payload_too_large', words);
  for (const words of PROXY_413) assert.equal(failureOf(words, 190_000).type, 'context_overflow', words);
  const coded = JSON.stringify({ error: { message: 'too much context', code: 'context_length_exceeded' } });
  assert.equal(failureOf(coded, 9_000).type, 'context_overflow', 'a structured code proves it');
  const figures = failureOf('the prompt is too long: 250000 tokens > 200000 maximum', 9_000);
  assert.deepEqual(figures.type === 'context_overflow' && figures.limit, 200_000, 'so do figures');
});

test('a limit that was not stated is marked as inferred', () => {
  const overflow = (message: string) => {
    const body = JSON.stringify({ type: 'error', error: { type: 'rate_limit_error', message } });
    const route = { provider: 'anthropic', model: 'm', protocol: 'anthropic-messages', window: 1_000_000 } as const;
    const failure = classify({ where: 'http', status: 429, body, ...route });
    return failure.type === 'context_overflow' ? [failure.limit, failure.inferred] : failure.type;
  };
  assert.deepEqual(overflow('Extra usage is required for long context requests.'), [200_000, true]);
  assert.deepEqual(overflow('Extra usage is required for long context requests: the token limit is 180000'), [180_000, undefined]);
});

const SECRET = 'sk-proj-abcdEFGH1234567890abcdEFGH1234567890';
test('the detail is one line with status and words, capped, and shows no secret', () => {
  const body = JSON.stringify({
    error: { message: `Incorrect API key provided: ${SECRET}.\n${'x '.repeat(600)}`, code: 'invalid_api_key' },
  });
  const { detail } = classify({
    where: 'http',
    status: 401,
    body,
    provider: 'openai',
    model: 'm',
    protocol: 'openai-chat',
    estimate: 1,
    window: 10,
  });
  assert.match(detail, /^401: Incorrect API key provided: sk-p…/);
  assert.ok(detail.length <= 500 && !detail.includes('\n') && !detail.includes(SECRET.slice(8)));
});
