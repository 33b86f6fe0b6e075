import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRecallStrip, stripRecall } from '../../src/agent/strip-recall.ts';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';

const FENCE = '<memory-context>\nNotes of your own.\n- Likes tea.\n</memory-context>';

const CASES: Readonly<Record<string, readonly [said: string, shown: string]>> = {
  'a fence before the answer': [`${FENCE}\nHere it is.`, 'Here it is.'],
  'a fence behind it': [`Here it is.\n${FENCE}`, 'Here it is.\n'],
  'two fences and words between them': [`${FENCE}\nOne.\n${FENCE}\nTwo.`, 'One.\nTwo.'],
  'a fence that is indented and shouts': [`One.\n  ${FENCE.toUpperCase()}\nTwo.`, 'One.\nTwo.'],
  'a fence in a fence: the first end ends it': [`<memory-context>\n<memory-context>\nx\n</memory-context>\nleft`, 'left'],
  'a fence that is never closed was none': ['One.\n<memory-context>\nTwo.', 'One.\n<memory-context>\nTwo.'],
  'the mark within a line is spoken about': ['The mark `<memory-context>` opens it.', 'The mark `<memory-context>` opens it.'],
  'words that begin like it': ['<memory\n<memory-card>\n<', '<memory\n<memory-card>\n<'],
  nothing: ['', ''],
};

for (const [name, [said, shown]] of Object.entries(CASES))
  test(`${name}: the same however the stream cuts it`, () => {
    assert.equal(stripRecall(said), shown);
    const random = createSeededRandom(name);
    for (let round = 0; round < 50; round++) {
      const strip = createRecallStrip();
      let [given, rest] = ['', said];
      while (rest !== '') {
        const size = random.int(1, 7);
        given += strip.push(rest.slice(0, size));
        rest = rest.slice(size);
      }
      assert.equal(given + strip.end(), shown);
    }
  });

test('what cannot become a fence is given out at once', () => {
  const strip = createRecallStrip();
  assert.deepEqual([strip.push('Hello '), strip.push('wor'), strip.push('ld\n'), strip.push('<mem')], ['Hello ', 'wor', 'ld\n', '']);
  assert.deepEqual([strip.push('ory-card>'), strip.end()], ['<memory-card>', '']);
});
