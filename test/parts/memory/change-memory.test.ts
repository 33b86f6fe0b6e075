import assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withFileLock } from '../../../src/base/file-lock.ts';
import type { MemoryOperation, MemorySource } from '../../../src/contracts/memory.ts';
import { changeMemory } from '../../../src/parts/memory/change-memory.ts';
import { readMemory } from '../../../src/parts/memory/read-memory.ts';
import { appendSources, readSources, resolveSourcesPath } from '../../../src/parts/memory/sources.ts';
import { fileIn, freshHome, placeAt, put, textIn } from './setup.ts';

const add = (content: string): MemoryOperation => ({ action: 'add', content });
const source: MemorySource = { sessionId: 's1', turnId: 't1', foreign: ['https://example.org'] };
const files = (home: string): string[] => readdirSync(join(home, 'memories')).toSorted();

test('a change is in the file of its target, private, with its source beside it', async () => {
  const home = freshHome();
  const done = await changeMemory(placeAt(home), 'user', [add('Likes tea'), add('Lives in Bonn')], { source });
  assert.ok(done.ok);
  assert.deepEqual([done.used, done.limit, done.count, done.backup], [25, 1375, 2, undefined]);
  assert.equal(textIn(home, 'USER.md'), 'Likes tea\n§\nLives in Bonn\n');
  assert.equal(statSync(fileIn(home, 'USER.md')).mode & 0o777, 0o600);
  const found = readSources(resolveSourcesPath(home)).of('user', 'Likes tea');
  assert.deepEqual([found?.action, found?.source], ['add', source]);
  assert.equal(readSources(resolveSourcesPath(home)).of('memory', 'Likes tea'), undefined);
});

test('a refusal and a duplicate leave no trace on disk', async () => {
  const home = freshHome();
  put(home, 'one\n');
  const results = [
    await changeMemory(placeAt(home), 'memory', [add('one')]),
    await changeMemory(placeAt(home), 'memory', [add('two'), { action: 'remove', oldText: 'three' }]),
  ];
  assert.deepEqual(
    results.map((result) => (result.ok ? result.effects[0]?.did : 'refused')),
    ['unchanged', 'refused'],
  );
  assert.deepEqual([textIn(home), files(home)], ['one\n', ['MEMORY.md']]);
});

test('a file edited by hand is read anew, and kept as it was when its form would be lost', async () => {
  const home = freshHome();
  await changeMemory(placeAt(home), 'memory', [add('first')]);
  put(home, 'first\n§\nby hand');
  const plain = await changeMemory(placeAt(home), 'memory', [add('second')]);
  assert.ok(plain.ok && plain.backup === undefined);
  const odd = '\u{feff}first\r\n §\r\n\r\nby hand, again\r\n';
  put(home, odd);
  const kept = await changeMemory(placeAt(home), 'memory', [add('third')]);
  assert.ok(kept.ok && kept.backup !== undefined);
  assert.match(kept.backup, /MEMORY\.md\.bak\.\d{4}-/);
  assert.equal(readFileSync(kept.backup, 'utf8'), odd);
  assert.equal(textIn(home), 'first\n§\nby hand, again\n§\nthird\n');
});

test('a file that is a link stays one', async () => {
  const home = freshHome();
  mkdirSync(join(home, 'dotfiles'), { recursive: true });
  writeFileSync(join(home, 'dotfiles', 'notes.md'), 'kept elsewhere\n');
  mkdirSync(join(home, 'memories'));
  symlinkSync(join(home, 'dotfiles', 'notes.md'), fileIn(home));
  assert.ok((await changeMemory(placeAt(home), 'memory', [add('new')])).ok);
  assert.ok(lstatSync(fileIn(home)).isSymbolicLink());
  assert.equal(readFileSync(join(home, 'dotfiles', 'notes.md'), 'utf8'), 'kept elsewhere\n§\nnew\n');
});

test('what the scan finds is not written, and the finding is named', async () => {
  const home = freshHome();
  const replace: MemoryOperation = { action: 'replace', oldText: 'x', content: 'fine\nEVIL words' };
  for (const operation of [add('so EVIL'), replace]) {
    const result = await changeMemory(placeAt(home), 'memory', [add('good'), operation]);
    assert.ok(!result.ok);
    assert.match(result.words, /Not saved.*prompt_injection \(line [12]: .*EVIL/);
  }
  assert.deepEqual(
    readMemory(placeAt(home)).map(({ entries }) => entries.length),
    [0, 0],
  );
});

test('a blocked entry is not told in a refusal, but its owner can remove it', async () => {
  const home = freshHome();
  put(home, 'EVIL! do as I say\n§\ngood\n');
  const refused = await changeMemory(placeAt(home), 'memory', [{ action: 'remove', oldText: 'nowhere' }]);
  assert.ok(!refused.ok && refused.words.includes('[MEMORY.md entry 1 left out') && !refused.words.includes('do as I say'));
  assert.ok((await changeMemory(placeAt(home), 'memory', [{ action: 'remove', oldText: 'EVIL! do as I say' }])).ok);
  assert.equal(textIn(home), 'good\n');
});

type Trouble = readonly [name: string, spoil: (home: string) => void, words: RegExp];
/** Where the system has a file that is always full. */
const FULL_DISK: readonly Trouble[] = existsSync('/dev/full')
  ? [
      [
        'a full disk',
        (home) => {
          put(home, '');
          symlinkSync('/dev/full', resolveSourcesPath(home));
        },
        /could not be written: ENOSPC.*Nothing was changed; .*not full/,
      ],
    ]
  : [];
const TROUBLES: readonly Trouble[] = [
  [
    'a file in place of the folder',
    (home) => {
      mkdirSync(home);
      writeFileSync(join(home, 'memories'), '');
    },
    /Nothing was changed in MEMORY\.md\. .*could not be made: .*writable/,
  ],
  [
    'a folder in place of the file',
    (home) => mkdirSync(fileIn(home), { recursive: true }),
    /MEMORY\.md could not be read: it is not a plain file\. Nothing was changed/,
  ],
  ['a file that is no text', (home) => put(home, 'a\0b'), /could not be read: it is binary/],
  [
    'a ledger that cannot be written',
    (home) => mkdirSync(resolveSourcesPath(home), { recursive: true }),
    /could not be written: EISDIR.*Nothing was changed/,
  ],
  ...FULL_DISK,
];
for (const [name, spoil, words] of TROUBLES)
  test(`${name} is told in words, and nothing is written`, async () => {
    const home = freshHome();
    spoil(home);
    const result = await changeMemory(placeAt(home), 'memory', [add('a fact')]);
    assert.ok(!result.ok);
    assert.match(result.words, words);
    assert.equal(readMemory(placeAt(home))[0]?.entries.length, 0);
  });

test('while another holds the file, the wait ends in words', async () => {
  const home = freshHome();
  await withFileLock(fileIn(home), async () => {
    const result = await changeMemory(placeAt(home), 'memory', [add('late')], { waitMs: 0 });
    assert.ok(!result.ok);
    assert.match(result.words, /^Nothing was changed in MEMORY\.md\. .* is held by process \d+ on /);
  });
});

test('the ledger keeps what was replaced, survives a cut line, and its newest writing line is the source', () => {
  const path = join(freshHome(), 'sources.jsonl');
  const line = { at: 1_000, target: 'memory', text: 'tea 家' } as const;
  appendSources(path, [{ ...line, action: 'add', source }]);
  const whole = readFileSync(path);
  // A kill in the middle of a line, and of a character.
  writeFileSync(path, Buffer.concat([whole, whole.subarray(0, whole.indexOf('家') + 1)]));
  appendSources(path, [{ ...line, at: 2_000, action: 'replace', old: 'coffee' }]);
  appendSources(path, [{ ...line, at: 3_000, action: 'remove', source }]);
  assert.equal(readFileSync(path, 'utf8').trimEnd().split('\n').length, 4);
  assert.match(readFileSync(path, 'utf8'), /"old":"coffee"/);
  const found = readSources(path).of('memory', 'tea 家');
  assert.deepEqual(found, { at: 2_000, target: 'memory', action: 'replace', text: 'tea 家' });
});

test('the owner sees each entry with its source, also a blocked one', async () => {
  const home = freshHome();
  await changeMemory(placeAt(home), 'memory', [add('from a session')], { source });
  await changeMemory(placeAt(home), 'memory', [add('from the owner')]);
  put(home, `${textIn(home)}§\nEVIL! by hand\n`);
  const [memory, user] = readMemory(placeAt(home));
  assert.deepEqual(
    memory?.entries.map(({ text, source: from, at, blocked }) => [text, from?.sessionId, at !== undefined, blocked]),
    [
      ['from a session', 's1', true, undefined],
      ['from the owner', undefined, true, undefined],
      ['EVIL! by hand', undefined, false, 'MEMORY.md entry 3 is blocked: prompt_injection'],
    ],
  );
  assert.deepEqual([memory?.used, user?.entries], [47, []]);
});
