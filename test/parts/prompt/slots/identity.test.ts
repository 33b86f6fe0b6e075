import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_IDENTITY, DEFAULT_SOUL, identitySlot } from '../../../../src/parts/prompt/slots/identity.ts';
import { sceneWith, textOf, told } from './setup.ts';

const withSoul = (text: string, notices: readonly string[] = []) => identitySlot({ soul: () => Promise.resolve({ text, notices }) });

test('SOUL.md stands in the prompt bare, and what was said about it reaches the owner', async () => {
  assert.deepEqual(await told(withSoul('I am Mercury.\n', ['cut']), sceneWith()), { text: 'I am Mercury.', notices: ['cut'] });
});

test('no file, an empty one and one of blanks give the default identity', async () => {
  assert.equal(await textOf(identitySlot({ soul: () => Promise.resolve({ notices: [] }) })), DEFAULT_IDENTITY);
  assert.equal(await textOf(withSoul('')), DEFAULT_IDENTITY);
  assert.equal(await textOf(withSoul(' \n\t')), DEFAULT_IDENTITY);
});

test('a new SOUL.md gives the same bytes as no SOUL.md', async () => {
  assert.equal(await textOf(withSoul(DEFAULT_SOUL)), DEFAULT_IDENTITY);
});

test('where context files may not speak SOUL.md is not even read', async () => {
  const slot = identitySlot({ soul: () => assert.fail('read') });
  assert.equal(await textOf(slot, { contextFiles: false }), DEFAULT_IDENTITY);
});

test('a file that cannot be read costs its words, not the identity', async () => {
  const slot = identitySlot({ soul: () => Promise.reject(new Error('EACCES: denied')) });
  const { text, notices } = await told(slot, sceneWith());
  assert.equal(text, DEFAULT_IDENTITY);
  assert.match(notices.join(), /SOUL\.md could not be read \(EACCES: denied\)/);
});
