import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry, EntryBody } from '../../../src/contracts/entry.ts';
import { createTextBlock } from '../../../src/contracts/message.ts';
import { deriveView } from '../../../src/parts/context/view/view.ts';
import { forAll, type SeededRandom } from '../../../src/testing/seeded-random.ts';

const row = (seq: number, body: EntryBody): Entry => ({ id: `e${seq}`, sessionId: 's', seq, at: seq, origin: 'user', ...body });

function grow(log: Entry[], chance: SeededRandom): void {
  const seq = log.length + 1;
  const role = chance.pick(['user', 'assistant'] as const);
  const message =
    role === 'user'
      ? ({ role, content: [createTextBlock(`u${seq}`, 'owner')] } as const)
      : ({ role, content: [createTextBlock(`a${seq}`, 'model')] } as const);
  if (seq > 4 && chance.hits(0.1)) {
    const fromSeq = chance.int(1, 3);
    log.push(
      row(seq, {
        type: 'compaction',
        fromSeq,
        toSeq: chance.int(fromSeq, seq - 1),
        summary: { role: 'user', content: [createTextBlock(`s${seq}`, 'tool')] },
      }),
    );
  } else if (chance.hits(0.1)) log.push(row(seq, { type: 'note', text: 'x' }));
  else
    log.push(
      row(seq, {
        type: 'message',
        message,
        ...(chance.hits(0.1) && { wireBefore: [{ role: 'user', content: [createTextBlock('p', 'owner')] }] }),
      }),
    );
}

test('a view that grew with its log is the view of the whole log', () =>
  forAll(300, (chance) => {
    const log: Entry[] = [];
    for (let step = chance.int(1, 40); step > 0; step--) {
      grow(log, chance);
      // A fresh array has no past: it is read from the beginning.
      if (chance.hits(0.5)) assert.deepEqual(deriveView(log), deriveView([...log]));
    }
    assert.deepEqual(deriveView(log), deriveView([...log]));
  }));

test('a view that was handed out does not change when the log goes on, and an array put to another use is read anew', () => {
  const log: Entry[] = [row(1, { type: 'message', message: { role: 'user', content: [createTextBlock('one', 'owner')] } })];
  const first = deriveView(log);
  log.push(row(2, { type: 'message', message: { role: 'assistant', content: [createTextBlock('two', 'model')] } }));
  assert.deepEqual([first.length, deriveView(log).length], [1, 2]);
  log.splice(0, 2, row(1, { type: 'message', message: { role: 'user', content: [createTextBlock('other', 'owner')] } }));
  assert.deepEqual(deriveView(log), deriveView([...log]));
});
