import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { answerWebhook } from '../../../src/platforms/webhook/receive.ts';
import { createPaceBook } from '../../../src/platforms/webhook/pace.ts';
import { createSealBook } from '../../../src/platforms/webhook/seals.ts';
import { SECRET } from './stage.ts';

test('an equal request without an id is a repeat for about five minutes, wherever the clock stands, and news after that', async () => {
  const route = { name: 'notes', secret: SECRET, scheme: 'generic', events: [], skills: [], isDirect: false } as const;
  const body = Buffer.from('{"text":"a"}');
  const headers = { 'x-webhook-signature': createHmac('sha256', SECRET).update(body).digest('hex') };
  const MINUTE = 60_000;
  for (let start = 0; start < 10 * MINUTE; start += MINUTE / 4) {
    const known = new Set<string>();
    const statusAt = async (now: number): Promise<number> => {
      const deps = {
        entries: () => ({ routes: new Map([['notes', route]]), targets: new Map() }),
        records: { isKnown: async (key: string) => known.has(key), count: async () => 0 },
        seals: createSealBook(),
        pace: createPaceBook(10),
        hand: async ({ key }: { readonly key: string }) => known.add(key).has(key),
        now: () => now,
        refused: () => {},
      };
      return (await answerWebhook({ method: 'POST', path: '/webhooks/notes', headers, body }, deps)).status;
    };
    const statuses: number[] = [];
    for (const after of [0, 1_000, 4 * MINUTE, 5 * MINUTE, 5 * MINUTE + 1_000]) statuses.push(await statusAt(start + after));
    assert.deepEqual(statuses, [202, 200, 200, 202, 200]);
  }
});
