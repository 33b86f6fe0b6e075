import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutContent } from '../../../../src/faces/gateway/send/cut.ts';
import { telegram } from '../../../../src/platforms/telegram/index.ts';

const count = (markdown: string): number => cutContent({ type: 'text', markdown }, telegram).length;

test('escapes do not count against the limit of a message', () => {
  assert.equal(count('.'.repeat(3_900)), 1);
  assert.equal(count('a-b. '.repeat(780)), 1);
  assert.equal(count('.'.repeat(4_200)), 2);
});

test('marks around nothing are left out', () => {
  assert.equal(telegram.render('```\n```'), '');
  assert.equal(telegram.render('before\n\n```sh\n\n```\n\nafter'), 'before\n\nafter');
});
