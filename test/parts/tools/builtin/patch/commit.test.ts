import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { localFiles } from '../../../../../src/parts/terminals/files/local.ts';
import { commitAll } from '../../../../../src/parts/tools/builtin/patch/commit.ts';
import { put, tempFolder } from '../../setup.ts';

test('a failure half way puts back what was changed, made and removed, and leaves nothing beside', async () => {
  const folder = tempFolder();
  const at = (name: string) => join(folder, name);
  put(folder, { changed: 'old', removed: 'was here' });
  mkdirSync(at('folder'));
  const writes = [
    { target: at('changed'), before: 'old', after: 'new' },
    { target: at('made'), before: undefined, after: 'fresh' },
    { target: at('removed'), before: 'was here', after: undefined },
    { target: at('folder'), before: undefined, after: 'a file cannot take the place of a folder' },
  ];
  await assert.rejects(commitAll(writes, localFiles));
  assert.deepEqual(
    [readFileSync(at('changed'), 'utf8'), readFileSync(at('removed'), 'utf8'), existsSync(at('made'))],
    ['old', 'was here', false],
  );
  assert.deepEqual(readdirSync(folder).toSorted(), ['changed', 'folder', 'removed']);
});
