import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEntry, createRewoundCheck, dropRewound, type Entry } from '../../src/contracts/entry.ts';
import { forAll, type SeededRandom } from '../../src/testing/seeded-random.ts';

/** A log with rewinds to anywhere that stands, some of them over others. */
function randomLog(chance: SeededRandom): Entry[] {
  const visible: number[] = [];
  return Array.from({ length: chance.int(0, 60) }, (_, index): Entry => {
    const head = { id: `e${index}`, sessionId: 's', seq: index + 1, at: index, origin: 'system' } as const;
    if (chance.hits(0.2)) {
      visible.length = chance.int(0, visible.length);
      return { ...head, type: 'rewind', toSeq: visible.at(-1) ?? 0 };
    }
    visible.push(head.seq);
    return { ...head, type: 'note', text: `note ${index}` };
  });
}

test('what stands of a log is what no later rewind goes back to before, whether it is read at once or followed', () =>
  forAll(500, (chance) => {
    const log = randomLog(chance);
    const isRewound = createRewoundCheck(log);
    const plain = log.filter((entry) => entry.type !== 'rewind' && !isRewound(entry.seq));
    assert.deepEqual(dropRewound(log), plain);
    const followed: Entry[] = [];
    for (const [index, entry] of log.entries()) {
      applyEntry(followed, entry);
      assert.deepEqual(followed, dropRewound(log.slice(0, index + 1)));
    }
    assert.deepEqual(dropRewound(plain), plain);
  }));

test('a log without rewinds is the very same list', () =>
  forAll(20, (chance) => {
    const log = dropRewound(randomLog(chance));
    assert.equal(dropRewound(log), log);
  }));
