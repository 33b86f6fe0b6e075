import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreError } from '../../../../src/contracts/session-store.ts';
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

const broken = new Error('broken');
const MINUTE = 60_000;

test('errors of its own put a message aside at the third, but not before it was tried for ten minutes', () => {
  const suspects = createSuspects();
  assert.deepEqual(
    [0, 1, 2, 10, 11].map((minute) => suspects.failed(row(0), broken, minute * MINUTE)),
    [
      { type: 'wait', ms: 5_000 },
      { type: 'wait', ms: 5_000 },
      { type: 'wait', ms: 15_000 },
      { type: 'wait', ms: 60_000 },
      { type: 'give_up' },
    ],
  );
});

test('a message that has waited for long is not given up for three errors in a row', () => {
  const suspects = createSuspects();
  const verdicts = [1, 2, 3].map((second) => suspects.failed(row(0, 0), broken, 24 * 60 * MINUTE + second * 1_000).type);
  assert.deepEqual(verdicts, ['wait', 'wait', 'wait']);
});

test('trouble of the machine is held against no message, however long it lasts', () => {
  const coded = (code: string) => Object.assign(new Error(code), { code });
  const troubles = [
    ...(['busy', 'full', 'io', 'read_only'] as const).map((code) => new StoreError(code, code)),
    ...['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EIO', 'EROFS'].map(coded),
    new Error('the session could not be opened', { cause: coded('ENOSPC') }),
  ];
  const verdicts = troubles.map((trouble) => {
    const suspects = createSuspects();
    const before = [0, 1, 20, 40].map((minute) => suspects.failed(row(0), trouble, minute * MINUTE).type);
    // From now on it is the message itself: the time begins with its own first error.
    return [
      ...before,
      suspects.judge(row(9), 60 * MINUTE).type,
      ...[60, 61, 62].map((at) => suspects.failed(row(0), broken, at * MINUTE).type),
    ];
  });
  const each = ['wait', 'wait', 'wait', 'wait', 'handle', 'wait', 'wait', 'wait'];
  assert.deepEqual(
    verdicts,
    troubles.map(() => each),
  );
});

test('what was handled after all is forgotten', () => {
  const suspects = createSuspects();
  const [failed, judged] = [
    (minute: number) => suspects.failed(row(0), broken, minute * MINUTE).type,
    () => suspects.judge(row(3), 0).type,
  ];
  const before = [judged(), judged(), failed(0), failed(1)];
  suspects.handled(row(3));
  assert.deepEqual(
    [before, judged(), failed(11), failed(12), failed(21), failed(22)],
    [['wait', 'handle', 'wait', 'wait'], 'wait', 'wait', 'wait', 'wait', 'give_up'],
  );
});
