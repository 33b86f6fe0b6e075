import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachLine, openLineReader } from '../../../src/faces/environments/lines.ts';

test('lines of any length are read one by one, and again by their place', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-lines-'));
  try {
    const path = join(folder, 'lines.jsonl');
    // Longer than what is read at once, ending on its border, and with signs of several bytes across it.
    const words = ['é'.repeat(900_000), 'x'.repeat((1 << 20) - 10), 'short', '', '😀'.repeat(300_000)];
    const lines = words.map((text) => JSON.stringify({ text }));
    writeFileSync(path, `${lines.slice(0, 3).join('\n')}\n\n  \nno json\n${lines.slice(3).join('\n')}\n{"torn`);
    const found = [...eachLine(path)];
    assert.deepEqual(
      found.map(({ value }) => value?.['text']),
      [...words.slice(0, 3), undefined, ...words.slice(3), undefined],
    );
    using reader = openLineReader(path);
    assert.deepEqual(
      found.map((line) => reader.read(line)?.['text']),
      found.map(({ value }) => value?.['text']),
    );
    assert.deepEqual([...eachLine(join(folder, 'absent'))], []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
