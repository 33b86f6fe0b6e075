import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRotatingFile } from '../../src/base/rotating-file.ts';

test('a log never grows beyond its bound: three older files are kept, the oldest goes, and nobody else may read them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-rotating-'));
  try {
    const write = openRotatingFile(join(folder, 'logs', 'events.jsonl'));
    // A line that fills a file alone.
    for (let count = 1; count <= 6; count++) write(`${count}${'x'.repeat(5_000_000)}`);
    const files = readdirSync(join(folder, 'logs')).toSorted();
    assert.deepEqual(
      files.map((name) => `${name}: ${readFileSync(join(folder, 'logs', name), 'utf8')[0]}`),
      ['events.jsonl: 6', 'events.jsonl.1: 5', 'events.jsonl.2: 4', 'events.jsonl.3: 3'],
    );
    assert.ok(files.every((name) => (statSync(join(folder, 'logs', name)).mode & 0o077) === 0));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a line that cannot be written costs nothing but itself', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-rotating-'));
  const write = openRotatingFile(join(folder, 'log'));
  rmSync(folder, { recursive: true, force: true });
  assert.doesNotThrow(() => write('a line'));
});

test('a folder of logs that is deleted is made again, the home it was in is not', () => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-rotating-'));
  const path = join(home, 'logs', 'events.jsonl');
  const write = openRotatingFile(path);
  write('one');
  rmSync(join(home, 'logs'), { recursive: true });
  write('two');
  assert.equal(readFileSync(path, 'utf8'), 'two\n');
  rmSync(home, { recursive: true });
  write('three');
  assert.equal(statSync(home, { throwIfNoEntry: false }), undefined);
});
