import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MemoryOperation } from '../../../src/contracts/memory.ts';
import { applyOperations } from '../../../src/parts/memory/change.ts';
import { countUsedCharacters } from '../../../src/parts/memory/entries.ts';
import { forAll } from '../../../src/testing/seeded-random.ts';

const add = (content: string): MemoryOperation => ({ action: 'add', content });
const remove = (oldText: string): MemoryOperation => ({ action: 'remove', oldText });
const replace = (oldText: string, content: string): MemoryOperation => ({ action: 'replace', oldText, content });
const TEA = ['Likes tea', 'Likes tea with milk', 'Lives in Bonn'];

const DONE: readonly {
  readonly name: string;
  readonly before: readonly string[];
  readonly operations: readonly MemoryOperation[];
  readonly after: readonly string[];
  readonly did: string;
  readonly limit?: number;
}[] = [
  { name: 'add trims and appends', before: ['a'], operations: [add(' b\r\nc\n')], after: ['a', 'b\nc'], did: 'added' },
  { name: 'an exact duplicate changes nothing', before: ['a', 'b'], operations: [add(' a ')], after: ['a', 'b'], did: 'unchanged' },
  {
    name: 'replace swaps the whole entry',
    before: TEA,
    operations: [replace('Bonn', 'Lives in Rome')],
    after: [...TEA.slice(0, 2), 'Lives in Rome'],
    did: 'replaced',
  },
  { name: 'an entry told in full is meant', before: TEA, operations: [remove('Likes tea')], after: TEA.slice(1), did: 'removed' },
  { name: 'of identical duplicates the first goes', before: ['x', 'y', 'x'], operations: [remove('x')], after: ['y', 'x'], did: 'removed' },
  { name: 'replace by the same words changes nothing', before: ['x'], operations: [replace('x', ' x')], after: ['x'], did: 'unchanged' },
  {
    name: 'replace by what is there already leaves one of them',
    before: ['x', 'y'],
    operations: [replace('x', 'y')],
    after: ['y'],
    did: 'replaced',
  },
  {
    name: 'a batch sees its own changes, and only its end is measured',
    before: ['aaaa', 'bbbb'],
    operations: [add('cccc'), remove('aaaa'), replace('bbbb', 'b'), add('cccc')],
    after: ['b', 'cccc'],
    did: 'added removed replaced unchanged',
    limit: 8,
  },
  { name: 'exactly the limit fits', before: ['aa'], operations: [add('bb')], after: ['aa', 'bb'], did: 'added', limit: 7 },
  {
    name: 'what is too full by hand may shrink',
    before: ['aaaa', 'bbbb'],
    operations: [remove('aaaa')],
    after: ['bbbb'],
    did: 'removed',
    limit: 2,
  },
];
for (const { name, before, operations, after, did, limit = 100 } of DONE)
  test(name, () => {
    const result = applyOperations(before, operations, limit);
    assert.ok(result.ok, JSON.stringify(result));
    assert.deepEqual(result.entries, after);
    assert.equal(result.effects.map((effect) => effect.did).join(' '), did);
  });

const LONG = `${'l'.repeat(79)}👍 and more`;
const REFUSED: readonly (readonly [
  name: string,
  before: readonly string[],
  operations: readonly MemoryOperation[],
  words: readonly string[],
])[] = [
  ['no operation', ['a'], [], ['No operation']],
  ['nothing to add', ['a'], [add(' \n')], ['Could not add', 'content is empty', 'Nothing was changed']],
  ['the sign on a line of its own', [], [add('a\n § \nb')], ['only §', 'each entry by itself']],
  ['the sign alone', [], [add('§')], ['only §']],
  ['no old text', ['a'], [remove(' ')], ['old_text is missing', '1. "a"']],
  [
    'nothing that matches',
    TEA,
    [remove('coffee')],
    ['no entry holds "coffee"', '1. "Likes tea"\n2. "Likes tea with milk"\n3. "Lives in Bonn"'],
  ],
  ['nothing at all to match', [], [remove('x')], ['There are no entries.']],
  ['several that match', TEA, [remove('tea')], ['"tea" is in 2 entries', 'longer part', '1. "Likes tea"\n2. "Likes tea with milk"']],
  ['previews of long ones', [LONG, 'more'], [remove('or')], [`1. "${'l'.repeat(79)}"…\n2. "more"`]],
  [
    'a batch with one bad operation',
    ['a'],
    [add('b'), replace('zz', 'c')],
    ['Operation 2 (replace): no entry holds "zz". Nothing was changed.\nEntries as the operations before it would have left them:\n1. "a"'],
  ],
  [
    'too much',
    ['a'.repeat(60)],
    [add('b'.repeat(60))],
    ['would take 123 of 100 characters', 'now they take 60.', 'operations[]', `1. ${'a'.repeat(60)}`],
  ],
  ['one entry that is too long by itself', [], [add('b'.repeat(101))], ['One entry alone has 101 characters: shorten it.']],
];
for (const [name, before, operations, words] of REFUSED)
  test(`refused in words: ${name}`, () => {
    const result = applyOperations(before, operations, 100);
    assert.ok(!result.ok);
    for (const expected of words) assert.ok(result.words.includes(expected), `${expected}\nis not in\n${result.words}`);
  });

test('a refusal shows entries the way it is told to', () => {
  const show = (entry: string) => (entry.includes('bad') ? '[left out]' : entry);
  const results = [
    applyOperations(['bad words'], [remove('x')], 100, show),
    applyOperations(['bad words'], [add('b'.repeat(99))], 100, show),
  ];
  for (const result of results) assert.ok(!result.ok && result.words.includes('[left out]') && !result.words.includes('bad words'));
});

test('whatever the operations, the end keeps the limit and a refusal changes nothing', async () => {
  const words = ['a', 'ab', 'abc', 'b c', '§', '', 'long '.repeat(9)] as const;
  await forAll(500, (chance) => {
    let entries: readonly string[] = [];
    for (const operations of chance.list(1, 8, () =>
      chance.list(0, 4, () =>
        chance.pick([add(chance.pick(words)), remove(chance.pick(words)), replace(chance.pick(words), chance.pick(words))]),
      ),
    )) {
      const before = [...entries];
      const result = applyOperations(entries, operations, 60);
      assert.deepEqual(entries, before);
      if (result.ok) ({ entries } = result);
      assert.ok(countUsedCharacters(entries) <= 60 && new Set(entries).size === entries.length);
    }
  });
});
