import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelEvent } from '../../src/contracts/provider.ts';
import { createRecallStrip, stripRecall, withoutRecall } from '../../src/agent/strip-recall.ts';
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
const NOTHING: ReadonlySet<string> = new Set();

for (const [name, [said, shown]] of Object.entries(CASES))
  test(`${name}: the same however the stream cuts it`, () => {
    assert.equal(stripRecall(said, NOTHING), shown);
    const random = createSeededRandom(name);
    for (let round = 0; round < 50; round++) {
      const strip = createRecallStrip(NOTHING);
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
  const strip = createRecallStrip(NOTHING);
  assert.deepEqual([strip.push('Hello '), strip.push('wor'), strip.push('ld\n'), strip.push('<mem')], ['Hello ', 'wor', 'ld\n', '']);
  assert.deepEqual([strip.push('ory-card>'), strip.end()], ['<memory-card>', '']);
});

const RECALLED = FENCE.toLowerCase().split('\n');
const CUT: Readonly<Record<string, readonly [said: string, shown: string]>> = {
  'an answer that breaks off in a repeated fence': ['Here it is.\n<memory-context>\nNotes of your own.\n- Likes t', 'Here it is.\n'],
  'one that breaks off in its mark': ['Here it is.\n<memory-con', 'Here it is.\n'],
  'a repeated fence that is never closed before the answer': [
    '<memory-context>\nNotes of your own.\n\n- Likes tea.\nHere it is.',
    'Here it is.',
  ],
  'a mark that somebody writes about': ['One.\n<memory-context>\nTwo.', 'One.\n<memory-context>\nTwo.'],
  'words that begin like it': ['One.\n<memory', 'One.\n<memory'],
};

for (const [name, [said, shown]] of Object.entries(CUT))
  test(`with memory beside the message, ${name}: what was recalled is no part of the answer`, () => {
    assert.equal(stripRecall(said, new Set(RECALLED)), shown);
  });

test('words that had arrived when a call broke off are kept without recalled memory', async () => {
  const partial = { text: `${FENCE}\nHere it is.\n<memory-context>\nNotes of` };
  async function* broken(): AsyncGenerator<ModelEvent> {
    yield { type: 'text_delta', delta: partial.text };
    yield { type: 'failed', failure: { type: 'network', detail: 'gone', partial } };
  }
  assert.deepEqual(await Array.fromAsync(withoutRecall(broken(), new Set(RECALLED))), [
    { type: 'text_delta', delta: 'Here it is.\n' },
    { type: 'failed', failure: { type: 'network', detail: 'gone', partial: { text: 'Here it is.\n' } } },
  ]);
});
