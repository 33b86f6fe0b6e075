import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tidyUp } from '../../../src/faces/cli/chat.ts';

test('trouble with tidying up is told and does not undo the answer', async () => {
  let told = '';
  const tell = (text: string) => void (told += text);
  await tidyUp({ tend: () => Promise.reject(new Error('disk\u001b[2J full')) }, tell);
  assert.equal(told, 'hermes: maintenance of the session store failed: disk full\n');
  told = '';
  await tidyUp({ tend: async () => true }, tell);
  assert.equal(told, '');
});
