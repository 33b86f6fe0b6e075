import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { listChanges } from '../../../../src/parts/safety/guarded/changes.ts';
import { readState, type FileState } from '../../../../src/parts/safety/guarded/file-state.ts';
import { createKnownFiles } from '../../../../src/parts/safety/guarded/known-files.ts';
import type { SeenFile } from '../../../../src/parts/safety/guarded/look.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-known-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'config');
const seenNow = (text: string): SeenFile & { readonly state: FileState } => {
  writeFileSync(path, text);
  const state = readState(path, undefined, 0);
  assert.ok(state !== undefined);
  return { path, rule: 'settings', what: 'git config', state };
};

test('what was put back is known as it was put, also when a process of the command writes again in that moment', () => {
  const clean = seenNow('clean');
  const planted = seenNow('planted');
  const known = createKnownFiles();
  known.rememberPut(path, planted, clean.state);
  assert.equal(known.files.get(path)?.state.content.toString(), 'clean');
  const [change] = listChanges(known.files, new Map([[path, planted]]));
  assert.equal(change?.after?.state.content.toString(), 'planted');

  const again = seenNow('clean');
  known.rememberPut(path, planted, clean.state);
  assert.equal(known.files.get(path)?.state.stamp, again.state.stamp);
  assert.deepEqual(listChanges(known.files, new Map([[path, again]])), []);
});
