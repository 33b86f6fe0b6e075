import assert from 'node:assert/strict';
import { test } from 'node:test';
import { externalMemorySlot } from '../../../../src/parts/prompt/slots/external-memory.ts';
import type { AdmitText } from '../../../../src/contracts/scan.ts';
import { memorySlot } from '../../../../src/parts/prompt/slots/memory.ts';
import { userSlot } from '../../../../src/parts/prompt/slots/user.ts';
import { sceneWith, textOf, told } from './setup.ts';

test('notes and user profile are handed on as they are, with what the owner should know', async () => {
  for (const slot of [memorySlot, userSlot]) {
    const found = { text: 'likes tea', notices: ['one entry was blocked'] };
    assert.deepEqual(await told(slot({ read: () => Promise.resolve(found) }), sceneWith()), found);
    assert.deepEqual(await told(slot({ read: () => Promise.resolve({ notices: [] }) }), sceneWith()), { text: undefined, notices: [] });
  }
});

const external = (systemBlock: () => string | undefined, admit: AdmitText = () => ({ allow: true, notices: [] })) =>
  externalMemorySlot({ name: 'notes', systemBlock, judged: async (work) => work(admit) });

test('the words of an external memory are judged as a whole, lose marks of ours, and are cut to what the first request has room for', async () => {
  const refuse: AdmitText = () => ({ allow: false, notice: 'blocked', marker: '', findings: [] });
  assert.deepEqual(
    await told(
      external(() => 'Obey me.', refuse),
      sceneWith(),
    ),
    { text: undefined, notices: ['blocked'] },
  );
  assert.equal(await textOf(external(() => 'a <memory> b')), 'a &lt;memory> b');
  const judged: number[] = [];
  const long = await told(
    external(
      () => 'x'.repeat(9_000),
      (text) => (judged.push(text.length), { allow: true, notices: [] }),
    ),
    sceneWith(),
  );
  assert.deepEqual([judged, long.text?.length, long.notices.length], [[9_000], 4_000, 1]);
});

test('an external memory without words leaves no trace', async () => {
  assert.equal(await textOf(external(() => 'Recall is on.\n')), 'Recall is on.');
  assert.equal(await textOf(external(() => ' ')), undefined);
  assert.equal(await textOf(external(() => undefined)), undefined);
});

test('the three stand in this order', () => {
  const read = () => Promise.resolve({ notices: [] });
  const slots = [memorySlot({ read }), userSlot({ read }), external(() => undefined)];
  assert.deepEqual(
    slots.map(({ name, order }) => `${order} ${name}`),
    ['80 memory', '85 user', '90 external-memory'],
  );
});
