import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBlobs } from '../../../../src/parts/safety/checkpoints/blobs.ts';
import { takeSnapshot } from '../../../../src/parts/safety/checkpoints/snapshot.ts';
import { BOUNDS, put, tempFolder } from './setup.ts';

const NAMES = Array.from({ length: 24 }, (_, index) => `${String.fromCharCode(97 + index)}.txt`);

for (const failing of [0, 3, 8, 15, 23])
  test(`a file that cannot be stored fails the snapshot, and nothing is written afterwards (file ${failing + 1} of ${NAMES.length})`, async () => {
    const top = tempFolder();
    put(join(top, 'work'), Object.fromEntries(NAMES.map((name) => [name, `the words of ${name}`])));
    const blobs = openBlobs(join(top, 'blobs'));
    let [calls, open] = [0, 0];
    const disk = {
      ...blobs,
      put: async (hash: string, bytes: Uint8Array) => {
        if (calls++ === failing) throw new Error('the disk is full');
        open += 1;
        return blobs.put(hash, bytes).finally(() => (open -= 1));
      },
    };
    await assert.rejects(takeSnapshot(join(top, 'work'), new Map(), BOUNDS, disk), /the disk is full/);
    assert.equal(open, 0);
  });

test('a failure that comes together with successes is not lost among them', async () => {
  const top = tempFolder();
  put(join(top, 'work'), Object.fromEntries(NAMES.map((name) => [name, `the words of ${name}`])));
  let calls = 0;
  const disk = {
    ...openBlobs(join(top, 'blobs')),
    put: async () => {
      calls += 1;
      if (calls === 2) throw new Error('the disk is full');
      return 1;
    },
  };
  await assert.rejects(takeSnapshot(join(top, 'work'), new Map(), BOUNDS, disk), /the disk is full/);
});
