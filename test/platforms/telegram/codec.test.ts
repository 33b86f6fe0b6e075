import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunkMarkdown } from '../../../src/base/markdown/chunk.ts';
import { renderPlain } from '../../../src/base/markdown/plain.ts';
import { toMarkdownV2 } from '../../../src/platforms/telegram/codec.ts';
import { readEntities, toMarkdown } from '../../../src/platforms/telegram/entities.ts';
import { telegram } from '../../../src/platforms/telegram/index.ts';
import { parseEntities } from '../../../src/testing/platforms/telegram/entities.ts';
import { forAll, type SeededRandom } from '../../../src/testing/seeded-random.ts';

const fence = '```';

const WRITTEN: readonly (readonly [markdown: string, written: string])[] = [
  ['plain words', 'plain words'],
  ['1. a-b (c) #d', '1\\. a\\-b \\(c\\) \\#d'],
  ['**bold _both_** _it_ ~~gone~~ ||hidden||', '*bold _both_* _it_ ~gone~ ||hidden||'],
  ['# A *fine* **title**\nand words', '*A _fine_ title*\n\nand words'],
  ['- one\n  more\n- [x] two\n  - three', '• one\n  more\n• ☑ two\n  • three'],
  ['> said `x`\n> **and\n> so on**', '>said `x`\n>*and*\n>*so on*'],
  ['`a\\b` and `` `c` ``', '`a\\\\b` and `\\`c\\``'],
  ['**see `x.y` here**', '*see *`x.y`* here*'],
  ['_a_**_b_**', '_a_*_b_*'],
  ['[site](https://e.org/a_(b))', '[site](https://e.org/a_(b\\))'],
  ['[here](./file.md)', 'here \\(\\./file\\.md\\)'],
  ['![cat](https://e.org/c.png)', '[cat](https://e.org/c.png)'],
  [`${fence}js\nlet a = \`b\`;\n${fence}`, `${fence}js\nlet a = \\\`b\\\`;\n${fence}`],
  [`- run\n  ${fence}\n    x\n  ${fence}`, `• run\n${fence}\n  x\n${fence}`],
  [`> ${fence}\n> x\n> ${fence}`, '>`x`'],
  [`${fence}\nnever closed`, `${fence}\nnever closed\n${fence}`],
  ['---', '———'],
  ['| a | b |\n|---|---|\n| 1 | 漢 |', `${fence}\na  b\n─  ──\n1  漢\n${fence}`],
  [`| a | b |\n|---|---|\n| **x** | ${'long '.repeat(10)}|`, `*x*\n• b: ${'long '.repeat(10).trim()}`],
  ['2 * 3 * 4 = 24!', '2 \\* 3 \\* 4 \\= 24\\!'],
];

test('Markdown is written as MarkdownV2', () => {
  for (const [markdown, written] of WRITTEN) {
    assert.equal(toMarkdownV2(markdown), written);
    assert.doesNotThrow(() => parseEntities(written, 'MarkdownV2'), markdown);
  }
});

const PIECES = [
  '**',
  '_',
  '*',
  '~~',
  '`',
  '```',
  '\n',
  '\n\n',
  '> ',
  '# ',
  '- ',
  '1. ',
  '[',
  '](',
  ')',
  'https://e.org/x',
  '|',
  '\\',
  '!',
  '.',
  '(',
  'word',
  ' ',
  '漢字',
  '😀',
  'é',
  '{}',
  '=',
  '||',
  '__',
  '| a |',
  '\n|--|\n',
] as const;
const draw = (chance: SeededRandom): string => chance.list(0, 40, () => chance.pick([...PIECES])).join('');

test('whatever a model writes, Telegram can read it and shows the same letters in the same order', async () => {
  await forAll(2_000, (chance) => {
    const markdown = draw(chance);
    const shown = parseEntities(toMarkdownV2(markdown), 'MarkdownV2')?.text ?? '';
    // Tables are laid out differently, and addresses of links are not shown.
    if (!/https|\|/.test(markdown)) assert.equal(letters(shown), letters(renderPlain(markdown)), JSON.stringify(markdown));
  });
});
const letters = (text: string): string => text.replaceAll(/[^\p{L}\p{N}\p{So}*_`~]/gu, '');

test('a long answer in pieces: each fits, and Telegram takes it', async () => {
  const max = telegram.traits.maxText;
  await forAll(8, (chance) => {
    const markdown = chance.list(20, 80, () => draw(chance)).join(chance.pick(['\n\n', '\n', ' ']));
    for (const piece of chunkMarkdown(markdown, { max, measure: (text) => telegram.render(text).length })) {
      const written = telegram.render(piece);
      assert.ok(written.length <= max, `${written.length} units`);
      assert.doesNotThrow(() => parseEntities(written, 'MarkdownV2'), JSON.stringify(piece));
    }
  });
});

test('the look of what people write arrives as Markdown', () => {
  const read = (source: string): string => {
    const { text = '', entities = [] } = parseEntities(source, 'HTML') ?? {};
    return toMarkdown(text, readEntities(entities), () => false);
  };
  assert.deepEqual(
    [
      '<b>bold <i>both</i></b> and <code>x`y</code>',
      '<pre><code class="language-py">print(1)</code></pre>',
      '<a href="https://e.org">here</a>, <s>no</s>',
      '<blockquote>one\ntwo</blockquote>',
      '😀 <b> 漢字 </b>!',
      'no * marks _ at all',
    ].map(read),
    [
      '**bold _both_** and `` x`y ``',
      '```py\nprint(1)\n```',
      '[here](https://e.org), ~~no~~',
      '> one\n> two',
      '😀  **漢字** !',
      'no * marks _ at all',
    ],
  );
});
