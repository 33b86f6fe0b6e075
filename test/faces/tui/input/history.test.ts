import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openHistory, openHistoryFile, type HistoryFile } from '../../../../src/faces/tui/input/history.ts';

const inMemory = (text = ''): HistoryFile & { text: string } => {
  const file = {
    text,
    read: async () => file.text,
    append: async (more: string) => void (file.text += more),
  };
  return file;
};
const deps = { hasSecret: (text: string) => text.includes('hunter2'), now: () => Date.UTC(2026, 0, 2) };

test('what was sent is read again, several lines as one entry, and in the order it was sent', async () => {
  const file = inMemory();
  const history = await openHistory({ ...deps, file });
  history.add('one\ntwo');
  history.add('/help');
  history.add('/help');
  assert.equal(file.text, '\n# 2026-01-02 00:00:00.000\n+one\n+two\n\n# 2026-01-02 00:00:00.000\n+/help\n');
  assert.deepEqual((await openHistory({ ...deps, file })).entries(), ['one\ntwo', '/help']);
});

test('nothing with a secret in it is kept, in memory or in the file', async () => {
  const file = inMemory();
  const history = await openHistory({ ...deps, file });
  history.add('my password is hunter2');
  history.add('/login hunter2');
  assert.deepEqual(history.entries(), []);
  assert.equal(file.text, '');
});

test('the file is for its owner alone; of a long one the end is read; one that is missing or broken is no history', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'history-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, '.hermes_history');
  const file = openHistoryFile(path);
  assert.deepEqual((await openHistory({ ...deps, file })).entries(), []);
  await file.append('\n# now\n+first\n');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(readFileSync(path, 'utf8'), '\n# now\n+first\n');
  writeFileSync(path, `\n# then\n+${'x'.repeat(600 * 1024)}\n\n# now\n+last\n`);
  assert.deepEqual((await openHistory({ ...deps, file })).entries(), ['last']);
});
