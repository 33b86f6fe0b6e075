import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemMessageSlot } from '../../../../src/parts/prompt/slots/system-message.ts';
import { textOf } from './setup.ts';

test("the caller's words win over the setting, and blanks are no words", async () => {
  const slot = systemMessageSlot({ fromSettings: 'Answer in French.\n' });
  assert.equal(await textOf(slot), 'Answer in French.');
  assert.equal(await textOf(slot, { systemMessage: 'Answer in verse.' }), 'Answer in verse.');
  assert.equal(await textOf(slot, { systemMessage: ' \n' }), 'Answer in French.');
  assert.equal(await textOf(systemMessageSlot({ fromSettings: ' ' })), undefined);
});
