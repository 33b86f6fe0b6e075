import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sized } from '../../../size.ts';
import { runAbsence, WAYS, type AbsenceWay } from './absence.ts';

const CHATS = sized(2, 10);
const EACH = sized(2, 5);
/** Cut off or gone; in full, each with and without what the platform keeps of a session. */
const ways = sized<readonly AbsenceWay[]>(['fresh', 'killed'], WAYS);

test('what is said while a gateway is away, cut off, stopped or killed is answered once, on every platform', async () => {
  const results = await runAbsence({ chats: CHATS, each: EACH, ways });
  const expected = ways.flatMap((way) =>
    ['telegram', 'discord', 'slack'].map((platform) => ({ way, platform, said: CHATS * EACH, answeredOnce: CHATS * EACH, others: [] })),
  );
  assert.deepEqual(results, expected);
});
