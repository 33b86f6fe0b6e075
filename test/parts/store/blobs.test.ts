import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { sha256 } from '../../../src/base/sha256.ts';
import { openBlobs } from '../../../src/parts/store/blobs.ts';
import { freshPath } from './places.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;
/** Everything in a folder that is a file. */
const filesIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));

test('bytes are kept once, under their hash, for nobody but us', async () => {
  const root = join(freshPath(), 'blobs');
  const blobs = openBlobs(root);
  const hash = await blobs.put(Buffer.from('a picture'));
  assert.equal(await blobs.put(Buffer.from('a picture')), hash);
  assert.deepEqual([hash, filesIn(root), String(await blobs.read(hash))], [sha256('a picture'), [hash], 'a picture']);
  assert.deepEqual([modeOf(root), modeOf(dirname(blobs.path(hash))), modeOf(blobs.path(hash))], [0o700, 0o700, 0o600]);
});

test('a file is taken over as it is, and gone from where it was', async () => {
  const root = freshPath();
  const file = join(root, 'upload.bin');
  mkdirSync(root, { recursive: true });
  writeFileSync(file, 'a file of theirs', { mode: 0o644 });
  const blobs = openBlobs(join(root, 'blobs'));
  const hash = await blobs.adopt(file);
  assert.deepEqual(
    [hash, existsSync(file), readFileSync(blobs.path(hash), 'utf8')],
    [sha256('a file of theirs'), false, 'a file of theirs'],
  );
  assert.equal(modeOf(blobs.path(hash)), 0o600);
  assert.deepEqual(filesIn(join(root, 'blobs')), [hash]);
  await assert.rejects(blobs.adopt(join(root, 'nowhere')), /ENOENT/);
});

test('what is not a hash is no way out of the folder', async () => {
  const blobs = openBlobs(freshPath());
  for (const name of ['../../etc/passwd', '', 'A'.repeat(64)]) assert.throws(() => blobs.path(name), /is no hash of a blob/);
  assert.equal(await blobs.read('a'.repeat(64)), undefined);
});

test('what is old and named by nobody goes, with what a writer that died left behind', async () => {
  const root = freshPath();
  const blobs = openBlobs(root);
  const [old, named, young] = [await blobs.put(Buffer.of(1)), await blobs.put(Buffer.of(2)), await blobs.put(Buffer.of(3))];
  writeFileSync(join(root, 'new-0123456789ab'), 'half');
  for (const path of [blobs.path(old), blobs.path(named), join(root, 'new-0123456789ab')]) utimesSync(path, 1, 1);
  assert.equal(await blobs.sweep(60_000, (hash) => hash === named), 2);
  assert.deepEqual(filesIn(root).toSorted(), [named, young].toSorted());
  utimesSync(blobs.path(young), 1, 1);
  await blobs.put(Buffer.of(3));
  assert.equal(await blobs.sweep(60_000, (hash) => hash === named), 0);
});
