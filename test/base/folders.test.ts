import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeFolder } from '../../src/base/folders.ts';

const root = mkdtempSync(join(tmpdir(), 'hermes-folders-'));
after(() => rmSync(root, { recursive: true, force: true }));

test('folders are made one by one, only for their owner, and made twice they stay', () => {
  const deep = join(root, 'a', 'b', 'c');
  makeFolder(deep);
  makeFolder(deep);
  for (const folder of [deep, join(root, 'a')]) assert.equal(statSync(folder).mode & 0o777, 0o700);
});

test('a file in the way is told', () => {
  writeFileSync(join(root, 'file'), '');
  assert.throws(() => makeFolder(join(root, 'file', 'inside')), /EEXIST/);
});
