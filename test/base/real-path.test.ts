import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { resolveFromNearestParent, realPath } from '../../src/base/real-path.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'real-path-')));
after(() => rmSync(root, { recursive: true, force: true }));
mkdirSync(join(root, 'there'));
symlinkSync('there', join(root, 'link'));
symlinkSync('nowhere', join(root, 'dangling'));

test('links are followed; what is not there has no real path', () => {
  assert.equal(realPath(join(root, 'link')), join(root, 'there'));
  for (const name of ['gone', 'dangling', 'x'.repeat(5_000), 'a\0b']) assert.equal(realPath(join(root, name)), undefined, name.slice(0, 9));
});

test('what is not there is named below its nearest parent that is', () => {
  assert.equal(resolveFromNearestParent(join(root, 'link', 'a', 'b')), join(root, 'there', 'a', 'b'));
  assert.equal(resolveFromNearestParent(join(root, 'link')), join(root, 'there'));
  assert.equal(resolveFromNearestParent('/'), '/');
});
