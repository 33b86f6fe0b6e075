import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listOverlay } from '../../src/agent/lateness.ts';
import { createTextBlock } from '../../src/contracts/message.ts';

const BESIDE = createTextBlock('Group: ops', 'owner');
const HOUR = 3_600_000;
const AGES: readonly (readonly [number, string | undefined])[] = [
  [-HOUR, undefined],
  [10 * 60_000, undefined],
  [10 * 60_000 + 1, '10 minutes'],
  [59.9 * 60_000, '59 minutes'],
  [HOUR, '1 hour'],
  [47.9 * HOUR, '47 hours'],
  [72 * HOUR, '3 days'],
];
for (const [age, told] of AGES)
  test(`a message that is ${age / 60_000} minutes old: ${told ?? 'nothing is told'}`, () => {
    const words =
      told === undefined
        ? []
        : [`This message was sent ${told} ago and is read only now. Check whether it still makes sense before you act on it.`];
    assert.deepEqual(
      listOverlay({ overlay: [BESIDE], sentAt: 1_000 }, 1_000 + age).map(({ text }) => text),
      ['Group: ops', ...words],
    );
  });

test('of a message whose sender told no time nothing is known', () => assert.deepEqual(listOverlay({}, 99 * HOUR), []));
