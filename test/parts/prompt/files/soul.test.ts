import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSoul } from '../../../../src/parts/prompt/files/soul.ts';
import { scanner, tree } from './tree.ts';

const DEFAULT = 'You are somebody.\n';
const read = (home: string) => readSoul(home, scanner().admit, DEFAULT);
const soulIn = (home: string) => readFileSync(join(home, 'SOUL.md'), 'utf8');

test('a missing SOUL.md is written with the default and read like any other from then on', () => {
  const home = join(tree(), 'deep', 'home');
  assert.deepEqual(read(home), { text: 'You are somebody.', notices: [] });
  assert.equal(soulIn(home), DEFAULT);
  assert.deepEqual(readdirSync(home), ['SOUL.md']);
  assert.deepEqual(read(home), { text: 'You are somebody.', notices: [] });
});

test('where it cannot be written the default still holds', () => {
  const home = join(tree({ file: 'in the way' }), 'file');
  const { text, notices } = read(home);
  assert.equal(text, 'You are somebody.');
  assert.equal(notices.length, 1);
  assert.match(notices[0] ?? '', /SOUL\.md could not be created: .*(?:EEXIST|ENOTDIR)/);
});

test('a link whose other end is away stays a link', () => {
  const home = tree();
  symlinkSync('/nowhere/at/all/SOUL.md', join(home, 'SOUL.md'));
  const { text, notices } = read(home);
  assert.equal(text, undefined);
  assert.equal(notices.length, 1);
  assert.ok(lstatSync(join(home, 'SOUL.md')).isSymbolicLink());
});

test('a blank one says nothing and stays as it is', () => {
  for (const blank of ['', ' \n\n', '\u{feff}']) {
    const home = tree({ 'SOUL.md': blank });
    assert.deepEqual(read(home), { notices: [] });
    assert.equal(soulIn(home), blank);
  }
});

test('it stands bare, trimmed, its head kept: the words are the owner’s', () => {
  const home = tree({ 'SOUL.md': '\u{feff}\n---\nname: x\n---\n# Me\n\n  I am terse.\n\n' });
  assert.deepEqual(read(home), { text: '---\nname: x\n---\n# Me\n\n  I am terse.', notices: [] });
});

test('it is scanned whole as the owner’s own file; a warning is passed on', () => {
  const { admit, asked } = scanner();
  const text = `\nodd ${'x'.repeat(25_000)}`;
  const home = tree({ 'SOUL.md': text });
  const soul = readSoul(home, admit, DEFAULT);
  assert.deepEqual(asked, [{ text, kind: 'soul', name: 'SOUL.md', owned: true, path: `${home}/SOUL.md` }]);
  assert.equal(soul.notices[0], 'SOUL.md is odd');
});

test('a blocked one leaves the place to the default identity', () => {
  const home = tree({ 'SOUL.md': 'evil' });
  assert.deepEqual(read(home), { notices: ['SOUL.md: evil in line 1'] });
  assert.equal(soulIn(home), 'evil');
});

test('a long one is cut like a project file', () => {
  const home = tree({ 'SOUL.md': `${'h'.repeat(14_000)}${'m'.repeat(6_000)}${'t'.repeat(4_000)}` });
  const { text = '', notices } = read(home);
  assert.deepEqual([text.slice(0, 14_000), text.slice(-4_000)], ['h'.repeat(14_000), 't'.repeat(4_000)]);
  assert.equal(text.includes('m'.repeat(100)), false);
  assert.match(notices.join(), /14000.*4000.*24000/);
  assert.deepEqual(read(tree({ 'SOUL.md': 'x'.repeat(20_000) })), { text: 'x'.repeat(20_000), notices: [] });
});

test('one that is no text is told and left alone', () => {
  const home = tree({ 'SOUL.md': 'a\0b' });
  assert.equal(read(home).text, undefined);
  assert.match(read(home).notices.join(), /SOUL\.md could not be used: it is binary/);
  assert.equal(soulIn(home), 'a\0b');
  const other = tree();
  mkdirSync(join(other, 'SOUL.md'));
  assert.match(read(other).notices.join(), /not a plain file/);
});
