import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  splitBatches,
  comesBack,
  planPull,
  planPush,
  type SyncSource,
  type SentFile,
  type RemoteFile,
} from '../../../src/parts/terminals/sync/plan.ts';
import { readList } from '../../../src/parts/terminals/sync/there.ts';

const here = (path: string, size = 1, mtimeMs = 100) => ({ path, at: `/home/${path}`, size, mtimeMs });
const sent = (...rows: readonly (readonly [string, Partial<SentFile>])[]) =>
  new Map(rows.map(([path, row]) => [path, { size: 1, mtimeMs: 100, sha256: 'old', ...row }]));

test('what is pushed and what goes', () => {
  const table: readonly (readonly [string, Parameters<typeof planPush>, readonly string[], readonly string[]])[] = [
    ['nothing here, nothing there', [new Map(), []], [], []],
    ['all of it the first time', [new Map(), [here('a'), here('b')]], ['a', 'b'], []],
    ['nothing when nothing changed', [sent(['a', {}]), [here('a')]], [], []],
    ['another size', [sent(['a', {}]), [here('a', 2)]], ['a'], []],
    ['another time, older ones too', [sent(['a', {}], ['b', {}]), [here('a', 1, 99), here('b', 1, 101)]], ['a', 'b'], []],
    ['gone here', [sent(['a', {}], ['b', {}]), [here('b')]], [], ['a']],
    ['a new name for an old file', [sent(['a', {}]), [here('b')]], ['b'], ['a']],
  ];
  for (const [what, [before, now], send, remove] of table) {
    const plan = planPush(before, now);
    assert.deepEqual([plan.send.map(({ path }) => path), plan.remove], [send, remove], what);
    assert.equal(
      plan.bytes,
      plan.send.reduce((sum, { size }) => sum + size, 0),
      what,
    );
  }
});

test('files go in groups of a size, and one that is larger goes alone', () => {
  const sizes = (...files: number[]) =>
    splitBatches(
      files.map((size) => ({ size })),
      10,
    ).map((group) => group.map(({ size }) => size));
  assert.deepEqual(sizes(), []);
  assert.deepEqual(sizes(4, 6, 1), [[4, 6], [1]]);
  assert.deepEqual(sizes(40, 1, 9, 1), [[40], [1, 9], [1]]);
  assert.deepEqual(sizes(0, 0), [[0, 0]]);
});

const SOURCES: readonly SyncSource[] = [
  { from: '/home/skills', to: 'skills', back: true },
  { from: '/home/.env', to: 'credentials/env', back: false },
];
const there = (path: string, sha256: string, mtimeMs = 200): RemoteFile => ({ path, size: 1, mtimeMs, sha256 });

test('what comes back', () => {
  const table: readonly (readonly [string, RemoteFile, string | undefined, readonly string[], 'taken' | 'left'])[] = [
    ['as it was sent', there('skills/a', 'old'), 'old', ['old'], 'left'],
    ['as it was sent, changed here', there('skills/a', 'old'), 'old', ['mine'], 'left'],
    ['changed there', there('skills/a', 'new'), 'old', ['old'], 'taken'],
    ['made there', there('skills/a', 'new'), undefined, [], 'taken'],
    ['changed there, gone here', there('skills/a', 'new'), 'old', [], 'taken'],
    ['the same change on both sides', there('skills/a', 'new'), 'old', ['new'], 'left'],
    ['changed there, and waiting here already', there('skills/a', 'new'), 'old', ['old', 'new'], 'left'],
    ['changed on both sides', there('skills/a', 'new'), 'old', ['mine'], 'taken'],
    ['credentials', there('credentials/env', 'new'), 'old', ['old'], 'left'],
    ['beside every source', there('other/a', 'new'), undefined, [], 'left'],
  ];
  for (const [what, file, before, known, fate] of table) {
    const { take } = planPull(SOURCES, before === undefined ? new Map() : sent([file.path, { sha256: before }]), [file], () => known);
    assert.equal(take.length === 0 ? 'left' : 'taken', fate, what);
  }
});

test('no name leads out of the folder it came from', () => {
  for (const path of [
    'skills/../../etc/passwd',
    'skills/./a',
    'skills//a',
    '/skills/a',
    'skills',
    'skills/',
    'skillsx/a',
    'skills/a\0b',
    'skills\\a',
    '..',
  ]) {
    assert.equal(comesBack(SOURCES, path), false, path);
  }
  assert.equal(comesBack(SOURCES, 'skills/web/a b.md'), true);
});

test('a list of files is read by its form, and names in a way of their own are passed over', () => {
  const hash = 'a'.repeat(64);
  const text = `${hash}  skills/a b\n\\${hash}  skills/new\\nline\n${hash} *skills/c\n\n12 1700000000 skills/a b\n1 2 skills/new\nline\n3 4 skills/c\n\n`;
  assert.deepEqual(readList(text), [
    { path: 'skills/a b', size: 12, mtimeMs: 1_700_000_000_000, sha256: hash },
    { path: 'skills/c', size: 3, mtimeMs: 4_000, sha256: hash },
  ]);
});
