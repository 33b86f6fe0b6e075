import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderPlain } from '../../../src/base/markdown/plain.ts';
import { discord } from '../../../src/platforms/discord/index.ts';
import { forAll } from '../../../src/testing/seeded-random.ts';

const CASES: readonly (readonly [markdown: string, discord: string])[] = [
  ['**a** _b_ ~~c~~ ||d|| `e`', '**a** *b* ~~c~~ ||d|| `e`'],
  ['1 * 2 snake_case \\*a\\*', '1 \\* 2 snake\\_case \\*a\\*'],
  ['see https://a.b/__c__ there', 'see https://a.b/__c__ there'],
  ['[a](https://b.c) ![d](https://e.f) <https://g.h>', '[a](https://b.c) [d](https://e.f) https://g.h'],
  ['# One\n#### Four', '# One\n\n**Four**'],
  ['- a\n  - [x] b\n3. c', '- a\n  - ☑ b\n\n3. c'],
  ['> a\n> b', '> a\n> b'],
  ['```js\nlet a = `*`;\n```', '```js\nlet a = `*`;\n```'],
  ['| a | b |\n|---|---|\n| `x_y` | 2 |', '```\na      b\n─────  ─\n`x_y`  2\n```'],
  ['a\n\n---\n\nb', 'a\n\n───\n\nb'],
  ['\\# no heading\n\n1\\. no item', '\\# no heading\n\n1\\. no item'],
];

test('Markdown becomes what Discord shows', () => {
  for (const [markdown, expected] of CASES) assert.equal(discord.render(markdown), expected);
});

test('whatever signs a text holds, its words stay the same', async () => {
  await forAll(300, (chance) => {
    const words = chance.list(1, 12, () =>
      chance.pick(['a', 'word', '*', '_', '`', '~', '|', '#', '>', '-', '1.', '\\', '(', '漢字', '😀', '<@1>', '  ', '\n']),
    );
    // Items and rules are drawn; what they are drawn with is no word.
    const wordsOf = (markdown: string) =>
      renderPlain(markdown)
        .replaceAll(/[•─\s-]+/g, ' ')
        .trim();
    assert.equal(wordsOf(discord.render(words.join(' '))), wordsOf(words.join(' ')));
  });
});
