import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEntities } from '../../../../src/testing/platforms/telegram/entities.ts';

const shown = (source: string, mode?: string): readonly [string, readonly (readonly [string, string])[]] => {
  const { text, entities } = parseEntities(source, mode) ?? { text: '', entities: [] };
  const part = (at: unknown, length: unknown): string => text.slice(Number(at), Number(at) + Number(length));
  return [text, entities.map(({ type, offset, length }) => [type as string, part(offset, length)])];
};

test('nested marks of MarkdownV2 are read as Telegram reads them', () => {
  const source = '*bold _both ~all ||hidden||~ __under___ end*';
  assert.deepEqual(shown(source, 'MarkdownV2'), [
    'bold both all hidden under end',
    [
      ['bold', 'bold both all hidden under end'],
      ['italic', 'both all hidden under'],
      ['strikethrough', 'all hidden'],
      ['spoiler', 'hidden'],
      ['underline', 'under'],
    ],
  ]);
});

test('code, links, quotations and escapes', () => {
  const source = '>q1\n>q2\nx\\_y [a](https://e.org/\\)b) `c*d`\n```js\nlet x;\n```';
  assert.deepEqual(shown(source, 'MarkdownV2'), [
    'q1\nq2\nx_y a c*d\nlet x;',
    [
      ['blockquote', 'q1\nq2'],
      ['text_link', 'a'],
      ['code', 'c*d'],
      ['pre', 'let x;'],
    ],
  ]);
});

test('HTML has the same look; blanks around a message are cut; commands and mentions are found by themselves', () => {
  assert.deepEqual(shown('  <b>a <i>b</i></b> &lt;&#x1F600;&gt; ', 'html'), [
    'a b <😀>',
    [
      ['bold', 'a b'],
      ['italic', 'b'],
    ],
  ]);
  assert.deepEqual(shown('/go@a_bot to @someone, see https://e.org/x now'), [
    '/go@a_bot to @someone, see https://e.org/x now',
    [
      ['bot_command', '/go@a_bot'],
      ['mention', '@someone'],
      ['url', 'https://e.org/x'],
    ],
  ]);
});

test('each wrong mark is refused in words of its own', () => {
  const refused: readonly (readonly [source: string, mode: string, words: string])[] = [
    ['a*', 'MarkdownV2', "Can't find end of Bold entity at byte offset 1"],
    ['`a', 'MarkdownV2', "Can't find end of Code entity at byte offset 0"],
    ['[a](b', 'MarkdownV2', "Can't find end of a URL at byte offset 2"],
    ['a > b', 'MarkdownV2', "Character '>' is reserved and must be escaped with the preceding '\\'"],
    ['a | b', 'MarkdownV2', "Character '|' is reserved and must be escaped with the preceding '\\'"],
    ['<b>a</i>', 'HTML', 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
    ['</b>', 'HTML', 'Unexpected end tag at byte offset 0'],
    ['<span>a</span>', 'HTML', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
  ];
  for (const [source, mode, words] of refused) assert.throws(() => parseEntities(source, mode), { name: 'EntityError', message: words });
});
