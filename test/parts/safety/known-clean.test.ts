import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createKnownClean } from '../../../src/parts/safety/known-clean.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-clean-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'cache', 'clean-texts.json');

test('what was clean is known in the next run, by the same scanner only', () => {
  const first = createKnownClean(path, 'rules-1');
  assert.equal(first.has('a'), false);
  first.add('a');
  assert.equal(first.has('a'), true);
  assert.equal(createKnownClean(path, 'rules-1').has('a'), true);
  assert.equal(createKnownClean(path, 'rules-2').has('a'), false);
});

test('two processes keep what each of them found', () => {
  const [one, other] = [createKnownClean(path, 'rules-1'), createKnownClean(path, 'rules-1')];
  assert.equal(other.has('b'), false);
  one.add('b');
  other.add('c');
  const later = createKnownClean(path, 'rules-1');
  assert.deepEqual(
    ['a', 'b', 'c'].map((hash) => later.has(hash)),
    [true, true, true],
  );
});

test('the list is bounded; a broken one, or a disk that cannot be written, only costs a scan', () => {
  const list = createKnownClean(join(folder, 'many.json'), 'rules-1');
  for (let index = 0; index < 600; index++) list.add(`h${index}`);
  const { clean } = JSON.parse(readFileSync(join(folder, 'many.json'), 'utf8')) as { readonly clean: readonly string[] };
  assert.deepEqual([clean.length, clean.at(-1)], [512, 'h599']);
  writeFileSync(path, '{"scanner":');
  assert.equal(createKnownClean(path, 'rules-1').has('a'), false);
  mkdirSync(join(folder, 'in-the-way'));
  const stuck = createKnownClean(join(folder, 'in-the-way'), 'rules-1');
  stuck.add('x');
  assert.equal(stuck.has('x'), true);
});
