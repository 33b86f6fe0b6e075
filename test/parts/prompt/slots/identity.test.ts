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

test('a child has the default identity, whatever SOUL.md says', async () => {
  const slot = identitySlot({ soul: () => Promise.resolve({ text: 'You are Beppo.', notices: [] }) });
  assert.equal(await textOf(slot), 'You are Beppo.');
  assert.equal(await textOf(slot, { role: 'child' }), DEFAULT_IDENTITY);
});

test('a SOUL.md that an earlier version made gives way to the identity of today, which claims no tools', async () => {
  const former = [
    "You are Hermes, an agent that works on its owner's machine through tools.",
    'Do the work rather than describe it: look things up with tools instead of guessing, and check that what you did took effect before you say it is done.',
    'Say plainly what you found, what you changed and what is still open. If something cannot be done, say why and what would help. Admit what you are unsure of.',
    'Look no further than the task needs, and write no more than the reader needs.',
  ].join('\n');
  const short = [
    'You are Hermes, an AI agent that works for the owner of this machine.',
    'Be useful and direct. Say what you found, what you did and what is still open.',
    'If you cannot do something, say why and what would help. If you are not sure, say so.',
    'Keep answers as short as the task allows.',
  ].join('\n');
  for (const text of [former, short])
    assert.equal(await textOf(identitySlot({ soul: () => Promise.resolve({ text, notices: [] }) })), DEFAULT_IDENTITY);
  assert.doesNotMatch(DEFAULT_IDENTITY, /tool/);
});

test('the default identity says who made it and how to look for things', () => {
  assert.match(DEFAULT_IDENTITY, /created by Nous Research/);
  assert.match(DEFAULT_IDENTITY, /targeted and efficient/);
});
