import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after, test } from 'node:test';
import { sha256 } from '../../../../src/base/sha256.ts';
import { detectMediaType } from '../../../../src/faces/gateway/send/media-types.ts';
import { keepReceived } from '../../../../src/faces/gateway/receive/received-files.ts';
import { sweepBlobs } from '../../../../src/faces/gateway/chats/sweep.ts';
import { openBlobs } from '../../../../src/parts/store/blobs.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-received-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const bytes = Buffer.from('words');
const mark = sha256(bytes).slice(0, 8);

test('whatever a file is called, it lies in the folder for received files under a plain name', async () => {
  const workspace = mkdtempSync(join(folder, 'names-'));
  const names: Readonly<Record<string, string>> = {
    'report.pdf': `report-${mark}.pdf`,
    '../../../etc/passwd': `passwd-${mark}`,
    '..\\..\\windows\\cmd.exe': `cmd-${mark}.exe`,
    '/absolute.txt': `absolute-${mark}.txt`,
    '.bashrc': `bashrc-${mark}`,
    '..': `file-${mark}`,
    '': `file-${mark}`,
    'a\0b\nc "d" $(e).TXT': `a-b-c-d-e-${mark}.txt`,
    'Übersicht 2026.csv': `Übersicht-2026-${mark}.csv`,
    [`${'x'.repeat(500)}.md`]: `${'x'.repeat(60)}-${mark}.md`,
  };
  for (const [name, kept] of Object.entries(names))
    assert.deepEqual([name, relative(workspace, await keepReceived(join(workspace, 'received'), name, bytes))], [name, `received/${kept}`]);
  assert.equal(statSync(join(workspace, 'received')).mode & 0o777, 0o700);
});

test('the same file is kept once; what a session put under its name is neither used nor changed', async () => {
  const workspace = mkdtempSync(join(folder, 'same-'));
  const first = await keepReceived(join(workspace, 'received'), 'a.txt', bytes);
  assert.equal(await keepReceived(join(workspace, 'received'), 'a.txt', bytes), first);
  writeFileSync(first, 'others');
  const second = await keepReceived(join(workspace, 'received'), 'a.txt', bytes);
  assert.notEqual(second, first);
  rmSync(second);
  const target = join(folder, 'target.txt');
  rmSync(first);
  symlinkSync(target, first);
  const third = await keepReceived(join(workspace, 'received'), 'a.txt', bytes);
  assert.deepEqual(
    [readFileSync(third, 'utf8'), dirname(third), readdirSync(folder).includes('target.txt')],
    ['words', dirname(first), false],
  );
});

test('a folder that is a link, or a file, gets nothing', async () => {
  const workspace = mkdtempSync(join(folder, 'link-'));
  const elsewhere = mkdtempSync(join(folder, 'elsewhere-'));
  symlinkSync(elsewhere, join(workspace, 'received'));
  await assert.rejects(keepReceived(join(workspace, 'received'), 'a.txt', bytes));
  assert.deepEqual(readdirSync(elsewhere), []);
  const other = mkdtempSync(join(folder, 'file-'));
  writeFileSync(join(other, 'received'), '');
  await assert.rejects(keepReceived(join(other, 'received'), 'a.txt', bytes));
});

test('what a file is shown as is told by how it begins, and its type by its ending where that says nothing', () => {
  const rows: readonly (readonly [name: string, begin: string, kind: string, mime: string])[] = [
    ['a.bin', '\x89PNG\r\n\x1a\n', 'image', 'image/png'],
    ['a.jpg', '\xff\xd8\xff\xe0', 'image', 'image/jpeg'],
    ['a.webp', 'RIFF\0\0\0\0WEBPVP8 ', 'image', 'image/webp'],
    ['a.wav', 'RIFF\0\0\0\0WAVEfmt ', 'audio', 'audio/wav'],
    ['a.m4a', '\0\0\0 ftypM4A ', 'audio', 'audio/mp4'],
    ['a.mp4', '\0\0\0 ftypisom', 'video', 'video/mp4'],
    ['a.png', 'words', 'document', 'application/octet-stream'],
    ['a.svg', '<svg/>', 'document', 'image/svg+xml'],
    ['A.CSV', 'a,b', 'document', 'text/csv'],
    ['a', '', 'document', 'application/octet-stream'],
  ];
  for (const [name, begin, kind, mime] of rows)
    assert.deepEqual([name, detectMediaType(name, Buffer.from(begin, 'latin1'))], [name, { kind, mime }]);
});

test('bytes that went out go after a day, those that wait stay', async () => {
  const root = join(folder, 'blobs');
  mkdirSync(root);
  const blobs = openBlobs(root);
  const [old, waiting, young] = [
    await blobs.put(Buffer.from('old')),
    await blobs.put(Buffer.from('waiting')),
    await blobs.put(Buffer.from('young')),
  ];
  const longAgo = Date.now() / 1_000 - 2 * 86_400;
  for (const hash of [old, waiting]) utimesSync(blobs.path(hash), longAgo, longAgo);
  const target = { platform: 'telegram', account: 'main', chatId: '1' };
  const content = { type: 'media', kind: 'document', blob: waiting, name: 'w', mime: 'text/plain', bytes: 7 } as const;
  const row = { key: 'k', id: '1', target, content, at: 0, state: 'pending', attempts: 0, expiresAt: 0, ageMs: 0 } as const;
  await sweepBlobs({ deliveries: async () => [row] }, blobs);
  assert.deepEqual(
    (await Promise.all([old, waiting, young].map(async (hash) => blobs.read(hash)))).map((found) => found?.toString()),
    [undefined, 'waiting', 'young'],
  );
});
