import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunkMarkdown, createChunker } from '../../src/base/markdown/chunk.ts';
import type { MarkdownBlock } from '../../src/base/markdown/nodes.ts';
import { renderPlain } from '../../src/base/markdown/plain.ts';
import { parseMarkdown } from '../../src/base/markdown/tree.ts';
import { takeStart } from '../../src/base/text.ts';
import { forAll, type SeededRandom } from '../../src/testing/seeded-random.ts';
import { randomDocument, renderWire, renderWords } from './markdown-documents.ts';

const MEASURES = {
  'UTF-16 of the source': (text: string) => text.length,
  'UTF-16 of what is sent': (text: string) => renderWire(text).length,
  'code points of the plain words': (text: string) => Array.from(renderPlain(text)).length,
  'bytes of what is sent': (text: string) => Buffer.byteLength(renderWire(text)),
};
const NAMES = ['UTF-16 of the source', 'UTF-16 of what is sent', 'code points of the plain words', 'bytes of what is sent'] as const;

/** Letters, numbers and pictures in order: marks and blanks may change at a cut, these may not. An entity is letters within code, and `1.` an item or words. */
const lettersOf = (pieces: readonly string[]): string =>
  pieces
    .flatMap((piece) => [...renderWords(piece).matchAll(/[\p{L}\p{N}\p{M}\p{Extended_Pictographic}\p{RI}\u200d]/gu)])
    .join('')
    .replaceAll(/amp|1/g, '');

const codesOf = (blocks: readonly MarkdownBlock[]): readonly boolean[] =>
  blocks.flatMap((block) => {
    if (block.type === 'code') return [block.closed];
    if (block.type === 'list') return block.items.flatMap(({ children }) => codesOf(children));
    return block.type === 'quote' ? codesOf(block.children) : [];
  });

const limitFor = (chance: SeededRandom): number => chance.pick([48, 64, 100, 200, 500, 2_000]);

void test('no piece is over the limit, every fence is closed, and the words are all there once', async () => {
  await forAll(400, (chance) => {
    const source = randomDocument(chance);
    const [name, max] = [chance.pick(NAMES), limitFor(chance)];
    const pieces = chunkMarkdown(source, { max, measure: MEASURES[name] });
    assert.deepEqual(
      pieces.filter((piece) => MEASURES[name](piece) > max || codesOf(parseMarkdown(piece)).includes(false)),
      [],
      `${name} ${max}`,
    );
    assert.ok(lettersOf(pieces) === lettersOf([source]), `${name} ${max}: ${JSON.stringify(pieces)}`);
  });
});

void test('a limit that has no room for marks is kept all the same', async () => {
  await forAll(60, (chance) => {
    const [measure, max] = [MEASURES[chance.pick(NAMES)], chance.int(8, 40)];
    const pieces = chunkMarkdown(randomDocument(chance, 1), { max, measure });
    assert.deepEqual(
      pieces.filter((piece) => measure(piece) > max),
      [],
    );
  });
});

void test('what is cut once stays cut however the text goes on, and a text that grows is cut as the whole is', async () => {
  await forAll(100, (chance) => {
    const source = randomDocument(chance);
    const options = { max: limitFor(chance), measure: MEASURES[chance.pick(NAMES)] };
    const whole = chunkMarkdown(source, options);
    const growing = createChunker(options);
    const lengths = chance.list(4, 4, () => chance.int(0, source.length)).toSorted((one, other) => one - other);
    for (const beginning of lengths.map((length) => takeStart(source, length))) {
      const pieces = chunkMarkdown(beginning, options);
      assert.deepEqual(growing.chunk(beginning), pieces);
      assert.deepEqual(pieces.slice(0, -1), whole.slice(0, Math.max(0, pieces.length - 1)));
    }
    assert.deepEqual(growing.chunk(source), whole);
    assert.deepEqual(growing.chunk('another'), ['another']);
  });
});

const STORIES: Readonly<Record<string, readonly [max: number, source: string, ...pieces: string[]]>> = {
  'what fits is one piece': [20, '**a** b', '**a** b'],
  'between blocks first': [30, 'A first paragraph.\n\nAnother one. And more of it.', 'A first paragraph.', 'Another one. And more of it.'],
  'a heading goes with what it is for': [24, 'Some words here.\n\n# Head\n\nbody text', 'Some words here.', '# Head\n\nbody text'],
  'then between items': [20, '- first item\n- second\n- third', '- first item', '- second\n- third'],
  'then between sentences': [30, 'This is one. This is two. This is three.', 'This is one. This is two.', 'This is three.'],
  'then between words': [14, 'several words in a row', 'several words', 'in a row'],
  'inside a word at last': [8, 'abcdefghijkl', 'abcdefgh', 'ijkl'],
  'never inside a picture': [11, 'abcd👩‍👩‍👧', 'abcd', '👩‍👩‍👧'],
  'code is closed and opened again': [24, '```ts\nconst a = 1;\nconst b = 2;\n```', '```ts\nconst a = 1;\n```', '```ts\nconst b = 2;\n```'],
  'code in a quotation stays there': [24, '> ```\n> line one\n> line two\n> ```', '> ```\n> line one\n> ```', '> ```\n> line two\n> ```'],
  'a table has its head again': [
    32,
    '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '| a | b |\n|---|---|\n| 3 | 4 |',
  ],
  'code within a line stays whole': [20, 'some words `a b c d e f`', 'some words', '`a b c d e f`'],
  'a link stays whole': [24, 'see here [the page](http://a.b)', 'see here', '[the page](http://a.b)'],
  'marks are closed and opened again': [18, '**One here. Two** more', '**One here.**', '**Two** more'],
  'neither an escape nor an entity is cut': [8, 'abcdefg\\*hi&amp;j', 'abcdefg', '\\*hi', '&amp;j'],
  'a number is not made an item': [12, 'In the year 1999. It was', 'In the', 'year 1999.', 'It was'],
  'scripts without blanks are cut between signs': [6, '一二三四五六七八', '一二三四五六', '七八'],
};

void test('where a text is cut', () => {
  for (const [name, [max, source, ...pieces]] of Object.entries(STORIES))
    assert.deepEqual(chunkMarkdown(source, { max, measure: (text) => text.length }), pieces, name);
});

void test('pieces are numbered when that is asked for, behind code on a line of their own', () => {
  const numbered = (source: string) => chunkMarkdown(source, { max: 30, measure: (text) => text.length, numbered: true });
  assert.deepEqual(numbered('one piece'), ['one piece']);
  assert.deepEqual(numbered('several words in a row of them and more'), ['several words in a (1/2)', 'row of them and more (2/2)']);
  assert.deepEqual(numbered('words before it.\n\n```\nlet a = 1\n```'), ['words before it. (1/2)', '```\nlet a = 1\n```\n\n(2/2)']);
});
