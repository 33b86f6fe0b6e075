import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterMs } from '../../../src/parts/providers/failure/retry-after.ts';

const NOW = Date.parse('2026-10-14T09:00:00Z');
type Headers = Readonly<Record<string, string>>;

const TABLE: readonly (readonly [why: string, headers: Headers, body: string, words: string, ms: number | undefined])[] = [
  ['seconds', { 'retry-after': '7' }, '', '', 7000],
  ['milliseconds are more exact', { 'retry-after': '1', 'retry-after-ms': '120' }, '', '', 120],
  ['a date', { 'retry-after': 'Wed, 14 Oct 2026 09:01:00 GMT' }, '', '', 60_000],
  ['a date that has passed', { 'retry-after': 'Wed, 14 Oct 2026 08:00:00 GMT' }, '', '', 0],
  [
    'a date by the clock of the server, which is an hour off',
    { 'retry-after': 'Wed, 14 Oct 2026 08:00:20 GMT', date: 'Wed, 14 Oct 2026 08:00:00 GMT' },
    '',
    '',
    20_000,
  ],
  ['minutes and seconds in words', {}, '', 'please try again in 1m30s.', 90_000],
  ['whole words', {}, '', 'retry after 5 minutes', 300_000],
  ['several words', {}, '', 'your limit resets in 1 hour 5 minutes', 3_900_000],
  ['fractions', {}, '', 'please retry in 36.743s.', 36_743],
  ['a wait', {}, '', 'please wait 40000 seconds before retrying', 40_000_000],
  ['an absolute time in words', {}, '', 'your limit will reset at 2026-10-14 09:10:00', 600_000],
  [
    'the bucket that is empty',
    {
      'x-ratelimit-reset-requests': '1s',
      'x-ratelimit-remaining-requests': '5',
      'x-ratelimit-reset-tokens': '6m0s',
      'x-ratelimit-remaining-tokens': '0',
    },
    '',
    '',
    360_000,
  ],
  [
    'a bucket with a date',
    { 'anthropic-ratelimit-requests-reset': '2026-10-14T09:00:30Z', 'anthropic-ratelimit-requests-remaining': '0' },
    '',
    '',
    30_000,
  ],
  ['seconds since 1970', { 'x-ratelimit-reset': String(NOW / 1000 + 5) }, '', '', 5000],
  ['a detail of Google', {}, '{"error":{"details":[{"@type":"x"},{"retryDelay":"12s"}]}}', '', 12_000],
  ['a field of the body', {}, '{"error":{"resets_in_seconds":60}}', '', 60_000],
  ['headers inside the body', {}, `{"error":{"metadata":{"headers":{"X-RateLimit-Reset":"${NOW + 9000}"}}}}`, '', 9000],
  ['nothing', {}, '', 'try later, in 3 words', undefined],
];

for (const [why, headers, body, words, ms] of TABLE) {
  test(`retry after: ${why}`, () => {
    const evidence = { where: 'http', headers, body, provider: 'acme', model: 'm', protocol: 'openai-chat', window: 1, now: NOW } as const;
    assert.equal(retryAfterMs(evidence, words), ms);
  });
}
