import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Files } from '../../../src/contracts/files.ts';
import { createTransfers } from '../../../src/faces/environments/transfers.ts';
import { localFiles } from '../../../src/parts/terminals/files/local.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-transfers-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const there = join(folder, 'there');
mkdirSync(join(there, 'deep'), { recursive: true });
writeFileSync(join(there, 'small'), 'small');
writeFileSync(join(there, 'deep', 'sparse'), '');
truncateSync(join(there, 'deep', 'sparse'), 64_000_000);

const transfersFrom = (files: Files) =>
  createTransfers({
    signal: new AbortController().signal,
    withFiles: (path, work) => work(files, join(there, path)),
    run: async () => {},
  });
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

test('what is fetched is counted while it comes, and stops at its limit', async () => {
  const { downloadFile, downloadDir } = transfersFrom(localFiles);
  const [file, tree] = [join(folder, 'file'), join(folder, 'tree')];
  await assert.rejects(downloadFile('deep/sparse', file, 1_000_000), { code: 'EFBIG' });
  assert.ok(sizeOf(file) <= 1_000_000);
  await assert.rejects(downloadDir('.', tree, 1_000_000), { code: 'EFBIG' });
  assert.ok(sizeOf(join(tree, 'deep', 'sparse')) <= 1_000_000);
  await downloadDir('.', join(folder, 'whole'), 64_000_005);
  assert.deepEqual(
    [readFileSync(join(folder, 'whole', 'small'), 'utf8'), sizeOf(join(folder, 'whole', 'deep', 'sparse'))],
    ['small', 64_000_000],
  );
});

test('a place that lists without end, or names what lies elsewhere, is not followed', async () => {
  const endless = transfersFrom({
    ...localFiles,
    list: async () => Array.from({ length: 20_000 }, (_, index) => ({ name: `${index}`, kind: 'other' })),
  });
  await assert.rejects(endless.downloadDir('.', join(folder, 'endless')), { code: 'EFBIG' });
  const lying = transfersFrom({ ...localFiles, list: async () => [{ name: '../escaped', kind: 'file' }] });
  await assert.rejects(lying.downloadDir('.', join(folder, 'lied')), /is not the name of a file/);
  assert.equal(existsSync(join(folder, 'escaped')), false);
});
