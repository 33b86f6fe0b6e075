import assert from 'node:assert/strict';
import { test } from 'node:test';
import { externalMemorySlot } from '../../../../src/parts/prompt/slots/external-memory.ts';
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

test('an external memory without words leaves no trace', async () => {
  assert.equal(await textOf(externalMemorySlot({ block: () => 'Recall is on.\n' })), 'Recall is on.');
  assert.equal(await textOf(externalMemorySlot({ block: () => ' ' })), undefined);
  assert.equal(await textOf(externalMemorySlot({ block: () => undefined })), undefined);
});

test('the three stand in this order', () => {
  const read = () => Promise.resolve({ notices: [] });
  const slots = [memorySlot({ read }), userSlot({ read }), externalMemorySlot({ block: () => undefined })];
  assert.deepEqual(
    slots.map(({ name, order }) => `${order} ${name}`),
    ['80 memory', '85 user', '90 external-memory'],
  );
});
