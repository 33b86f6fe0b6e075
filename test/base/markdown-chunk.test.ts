import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunkMarkdown } from '../../src/base/markdown/chunk.ts';
import type { MarkdownBlock } from '../../src/base/markdown/nodes.ts';
import { renderPlain } from '../../src/base/markdown/plain.ts';
import { parseMarkdown } from '../../src/base/markdown/tree.ts';
import { forAll, type SeededRandom } from '../../src/testing/seeded-random.ts';
import { randomDocument, renderWire, renderWords } from './markdown-documents.ts';

const MEASURES = {
  'UTF-16 of the source': (text: string) => text.length,
  'UTF-16 of what is sent': (text: string) => renderWire(text).length,
  'code points of the plain words': (text: string) => [...renderPlain(text)].length,
  'bytes of what is sent': (text: string) => Buffer.byteLength(renderWire(text)),
};
const NAMES = ['UTF-16 of the source', 'UTF-16 of what is sent', 'code points of the plain words', 'bytes of what is sent'] as const;

/** Letters, numbers and pictures in order: marks and blanks may change at a cut, these may not. An entity is letters within code. */
const lettersOf = (pieces: readonly string[]): string =>
  pieces
    .flatMap((piece) => [...renderWords(piece).matchAll(/[\p{L}\p{N}\p{M}\p{Extended_Pictographic}\p{RI}\u200d]/gu)])
    .join('')
    .replaceAll('amp', '');

const codesOf = (blocks: readonly MarkdownBlock[]): readonly boolean[] =>
  blocks.flatMap((block) => {
    if (block.type === 'code') return [block.closed];
    if (block.type === 'list') return block.items.flatMap(({ children }) => codesOf(children));
    return block.type === 'quote' ? codesOf(block.children) : [];
  });

const limitFor = (chance: SeededRandom): number => chance.pick([48, 64, 100, 200, 500, 2_000]);

void test('no piece is over the limit, every fence is closed, and the words are all there once', async () => {
  await forAll(500, (chance) => {
    const source = randomDocument(chance);
    const [name, max] = [chance.pick(NAMES), limitFor(chance)];
    const pieces = chunkMarkdown(source, { max, measure: MEASURES[name] });
    const over = pieces.filter((piece) => MEASURES[name](piece) > max);
    assert.deepEqual(over, [], `${name} over ${max}`);
    assert.deepEqual(
      pieces.filter((piece) => codesOf(parseMarkdown(piece)).includes(false)),
      [],
    );
    assert.ok(lettersOf(pieces) === lettersOf([source]), `${name} ${max}: ${JSON.stringify(pieces)}`);
  });
});

void test('what is cut once stays cut however the text goes on', async () => {
  await forAll(60, (chance) => {
    const source = randomDocument(chance);
    const options = { max: limitFor(chance), measure: MEASURES[chance.pick(NAMES)] };
    const whole = chunkMarkdown(source, options);
    for (const length of chance.list(5, 5, () => chance.int(0, source.length))) {
      const sure = chunkMarkdown(source.slice(0, length).toWellFormed(), options).slice(0, -1);
      assert.deepEqual(sure, whole.slice(0, sure.length), `at ${length} with ${options.max}`);
    }
  });
});
