import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forAll } from '../../../src/testing/seeded-random.ts';
import { readMrkdwn, renderMrkdwn } from '../../../src/platforms/slack/codec.ts';

describe('Markdown as Slack shows it', () => {
  const rows: readonly (readonly [markdown: string, mrkdwn: string])[] = [
    ['**bold** and *light* and ~~gone~~', '*bold* and _light_ and ~gone~'],
    ['a `code & more` b', 'a `code &amp; more` b'],
    ['1 < 2 & 3 > 2', '1 &lt; 2 &amp; 3 &gt; 2'],
    ['[Slack](https://slack.com/?a=1&b=2|3)', '<https://slack.com/?a=1&amp;b=2%7C3|Slack>'],
    ['<https://slack.com>', '<https://slack.com>'],
    ['[notes](file.md)', 'notes (file.md)'],
    ['![a cat](https://x.io/cat.png)', '<https://x.io/cat.png|a cat>'],
    ['# Title with **bold**', '*Title with bold*'],
    ['- one\n- two\n  - deep\n\n3. three', '• one\n• two\n    • deep\n\n3. three'],
    ['- [x] done\n- [ ] open', '• ☑ done\n• ☐ open'],
    ['> said\n> twice', '> said\n> twice'],
    ['```js\nif (a < b) `x`\n```', '```\nif (a &lt; b) `x`\n```'],
    ['````\n```\n````', '```\n``\u200B`\n```'],
    ['| a | b |\n|---|---|\n| **1** | two |', '```\na  b\n-  ---\n1  two\n```'],
    ['---', '———'],
    ['**two\nlines**', '*two*\n*lines*'],
    // Slack reads a mark only at the edge of a word.
    ['a**b**c', 'a\u200B*b*\u200Bc'],
    ['snake_case_word and 2 * 3', 'snake_case_word and 2 * 3'],
    ['\\*not bold\\*', '*\u200Bnot bold*'],
    // A person may be called; everybody at once may not.
    ['hi <@U012AB> and <!channel>', 'hi <@U012AB> and &lt;!channel&gt;'],
  ];
  for (const [markdown, mrkdwn] of rows)
    it(JSON.stringify(markdown), () => {
      assert.equal(renderMrkdwn(markdown), mrkdwn);
    });
});

describe('whatever a model writes', () => {
  it('leaves no sign of our own behind and calls nobody but single persons', async () => {
    const signs = [
      '**',
      '*',
      '_',
      '~~',
      '`',
      '```\n',
      '\n',
      '- ',
      '> ',
      '# ',
      '<',
      '>',
      '&',
      '|',
      '!channel',
      '@U1',
      'http://x.io',
      '[a](',
      ')',
      'word',
      ' ',
      '\uE000',
    ] as const;
    await forAll(500, (chance) => {
      const text = renderMrkdwn(chance.list(1, 30, () => chance.pick(signs)).join(''));
      assert.ok(!text.includes('\uE000'), text);
      assert.deepEqual(text.replaceAll(/<(?:@U1|https?:[^<>]*)>/gu, '').match(/</gu), null, text);
    });
  });
});

describe('what people write in Slack as Markdown', () => {
  const rows: readonly (readonly [mrkdwn: string, markdown: string])[] = [
    ['*bold* _light_ ~gone~ `a*b*c`', '**bold** _light_ ~~gone~~ `a*b*c`'],
    ['2*3*4 and a * b', '2*3*4 and a * b'],
    ['see <https://a.io|here>, <https://b.io> and <mailto:a@b.io|a@b.io>', 'see [here](https://a.io), https://b.io and a@b.io'],
    ['<#C1|general> <!here> <@U1>', '#general @here <@U1>'],
    ['1 &lt; 2 &amp;&amp; 3 &gt; 2', '1 < 2 && 3 > 2'],
    ['```\nx = *p &amp; 1\n```', '```\nx = *p & 1\n```'],
    ['&amp;lt;', '&lt;'],
  ];
  for (const [mrkdwn, markdown] of rows)
    it(JSON.stringify(mrkdwn), () => {
      assert.equal(readMrkdwn(mrkdwn), markdown);
    });
});
