import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sized } from '../../../size.ts';
import { STAGES } from '../stages/index.ts';
import { runFlood } from './flood.ts';

/** The same way through the code as 149, which is what a flooded chat is told. */
const SECONDS = sized(3, 149);

test('a chat that is flooded gets nothing until the platform allows it, and then the answer, once', async () => {
  const cases = (Object.keys(STAGES) as (keyof typeof STAGES)[]).flatMap((platform) =>
    (['send', 'edit'] as const).map((what) => ({ platform, what })),
  );
  const results = await Promise.all(cases.map(({ platform, what }) => runFlood(platform, what, SECONDS)));
  assert.deepEqual(
    results,
    cases.map((each) => ({ ...each, limited: 1, tooSoon: [], answers: 1 })),
  );
});
