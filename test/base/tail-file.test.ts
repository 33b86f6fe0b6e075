import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { followFile, readTail } from '../../src/base/tail-file.ts';

const createPath = (): string => join(mkdtempSync(join(tmpdir(), 'hermes-tail-')), 'a.log');

test('the last lines of a file, and none of one that is not there', () => {
  const path = createPath();
  assert.deepEqual(readTail(path, 3), []);
  writeFileSync(path, 'one\ntwo\nthree\n');
  assert.deepEqual([readTail(path, 2), readTail(path, 0), readTail(path, 9)], [['two', 'three'], [], ['one', 'two', 'three']]);
});

test('of a file too large to be a string only the end is read', () => {
  const path = createPath();
  writeFileSync(path, '');
  truncateSync(path, 700_000_000);
  appendFileSync(path, `\n${'x'.repeat(100_000)}\nthe last\n`);
  assert.deepEqual(readTail(path, 2), ['x'.repeat(100_000), 'the last']);
  rmSync(path);
});

test('a file is followed line by line, through its rotation, until it is enough', async () => {
  const path = createPath();
  writeFileSync(path, 'before\n');
  const stop = new AbortController();
  const heard: string[] = [];
  // What comes next in the file, by the last line that was heard of it.
  const next: Readonly<Record<string, () => void>> = {
    first: () => appendFileSync(path, 'a bro'),
    'a broken line': () => {
      renameSync(path, `${path}.1`);
      writeFileSync(path, 'of the new file\n');
    },
    'of the new file': () => writeFileSync(path, 'cut\n'),
    cut: () => stop.abort(),
  };
  const lines = followFile(path, stop.signal);
  const following = (async () => {
    for await (const some of lines)
      for (const line of some) {
        heard.push(line);
        next[line]?.();
        if (line === 'first') setTimeout(() => appendFileSync(path, 'ken line\n'), 400);
      }
  })();
  setImmediate(() => appendFileSync(path, 'first\n'));
  await following;
  assert.deepEqual(heard, ['first', 'a broken line', 'of the new file', 'cut']);
});
