import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toMarkdownV2, toPlainText } from '../../../src/platforms/telegram/codec.ts';
import { readEntities, toMarkdown } from '../../../src/platforms/telegram/entities.ts';
import { parseEntities } from '../../../src/testing/platforms/telegram/entities.ts';
import { forAll, type SeededRandom } from '../../../src/testing/seeded-random.ts';

const fence = '```';

const WRITTEN: readonly (readonly [markdown: string, written: string, plain: string])[] = [
  ['plain words', 'plain words', 'plain words'],
  ['1. a-b (c) #d', '1\\. a\\-b \\(c\\) \\#d', '1. a-b (c) #d'],
  ['**bold _both_** _it_ ~~gone~~', '*bold _both_* _it_ ~gone~', 'bold both it gone'],
  ['# A *fine* title', '*A _fine_ title*', 'A fine title'],
  ['- one\n- [x] two', '• one\n☑ two', '• one\n☑ two'],
  ['> said `x`', '>said `x`', '> said x'],
  ['`a\\b` and `` `c` ``', '`a\\\\b` and `\\`c\\``', 'a\\b and `c`'],
  ['**see `x.y` here**', '*see *`x.y`* here*', 'see x.y here'],
  ['[site](https://e.org/a_(b))', '[site](https://e.org/a_(b\\))', 'site (https://e.org/a_(b))'],
  ['[mail](mailto:a@b.c)', 'mail \\(mailto:a@b\\.c\\)', 'mail (mailto:a@b.c)'],
  [`${fence}js\nlet a = \`b\`;\n${fence}`, `${fence}js\nlet a = \\\`b\\\`;\n${fence}`, 'let a = `b`;'],
  [`${fence}\nnever closed`, `${fence}\nnever closed\n${fence}`, 'never closed'],
  ['---', '———', '———'],
  ['| a | b |\n|---|---|\n| 1 | 2 |', `${fence}\na  b\n─  ─\n1  2\n${fence}`, 'a  b\n─  ─\n1  2'],
  ['2 * 3 * 4 = 24!', '2 \\* 3 \\* 4 \\= 24\\!', '2 * 3 * 4 = 24!'],
];

test('Markdown is written as MarkdownV2, and as plain words', () => {
  for (const [markdown, written, plain] of WRITTEN) {
    assert.equal(toMarkdownV2(markdown), written);
    assert.equal(toPlainText(markdown), plain);
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

test('whatever a model writes, Telegram can read it, and shows the same words as without marks', async () => {
  await forAll(2_000, (chance) => {
    const markdown = draw(chance);
    const shown = parseEntities(toMarkdownV2(markdown), 'MarkdownV2')?.text;
    const bare = (text = ''): string => text.replaceAll(/[>\s]+/g, '');
    if (!/https/.test(markdown)) assert.equal(bare(shown), bare(toPlainText(markdown)), JSON.stringify(markdown));
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
