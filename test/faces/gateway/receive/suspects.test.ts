import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSuspects } from '../../../../src/faces/gateway/receive/suspects.ts';

const row = (attempts: number, at = 0) => ({ id: 'a1', at, attempts });

test('a message that was in hand at three deaths lets others go first in each process, longer each time, and is then handled', () => {
  const waits = [2, 3, 4, 5, 6, 9].map((attempts) => createSuspects().judge(row(attempts), 1_000));
  assert.deepEqual(waits, [
    { type: 'handle' },
    { type: 'wait', ms: 1_000 },
    { type: 'wait', ms: 5_000 },
    { type: 'wait', ms: 15_000 },
    { type: 'wait', ms: 60_000 },
    { type: 'wait', ms: 60_000 },
  ]);
  const suspects = createSuspects();
  assert.deepEqual([suspects.judge(row(3), 0).type, suspects.judge(row(3), 2_000).type], ['wait', 'handle']);
});

test('deaths alone put no message aside before ten minutes have passed', () => {
  const [early, late] = [createSuspects().judge(row(40), 600_000), createSuspects().judge(row(3), 600_001)];
  assert.deepEqual([early.type, late.type], ['wait', 'give_up']);
});

test('errors of its own put a message aside at the third', () => {
  const suspects = createSuspects();
  assert.deepEqual(
    [1, 2, 3].map(() => suspects.failed(row(0))),
    [false, false, true],
  );
});

test('what was handled after all is forgotten', () => {
  const suspects = createSuspects();
  const [failed, judged] = [() => suspects.failed(row(0)), () => suspects.judge(row(3), 0).type];
  const before = [judged(), judged(), failed(), failed()];
  suspects.handled(row(3));
  assert.deepEqual([before, judged(), failed(), failed(), failed()], [['wait', 'handle', false, false], 'wait', false, false, true]);
});
