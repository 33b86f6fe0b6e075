import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderPlain } from '../../src/base/markdown/plain.ts';
import { parseMarkdown } from '../../src/base/markdown/tree.ts';
import type { MarkdownBlock, MarkdownInline } from '../../src/base/markdown/nodes.ts';
import { forAll } from '../../src/testing/seeded-random.ts';

const text = (words: string): MarkdownInline => ({ type: 'text', text: words });
const paragraph = (...children: MarkdownInline[]): MarkdownBlock => ({ type: 'paragraph', children });
const strong = (...children: MarkdownInline[]): MarkdownInline => ({ type: 'strong', children });
const emphasis = (...children: MarkdownInline[]): MarkdownInline => ({ type: 'emphasis', children });

const INLINE: readonly (readonly [source: string, ...children: MarkdownInline[]])[] = [
  ['**a** _b_', strong(text('a')), text(' '), emphasis(text('b'))],
  ['***x** y*', emphasis(strong(text('x')), text(' y'))],
  ['~~no~~ ||yes||', { type: 'strike', children: [text('no')] }, text(' '), { type: 'spoiler', children: [text('yes')] }],
  ['``a`b`` `c', { type: 'code', text: 'a`b' }, text(' `c')],
  ['[*l*](http://a/(b) "t")', { type: 'link', href: 'http://a/(b)', children: [emphasis(text('l'))] }],
  ['![pic](<a b.png>)', { type: 'image', href: 'a b.png', alt: 'pic' }],
  ['<https://a.b/__c__>', { type: 'link', href: 'https://a.b/__c__', children: [text('https://a.b/__c__')] }],
  ['see https://a.b/__c__.', text('see https://a.b/__c__.')],
  ['2*3*4 a_b_c if(a||b||c)', text('2*3*4 a_b_c if(a||b||c)')],
  ['\\*a\\* &lt;b&gt; &#128512; &nothing;', text('*a* <b> 😀 &nothing;')],
  ['a  \nb\\\nc<br>d', text('a'), { type: 'break' }, text('b'), { type: 'break' }, text('c'), { type: 'break' }, text('d')],
  ['**half *open [and](', text('**half *open [and](')],
  ['**重点。**后面', strong(text('重点。')), text('后面')],
  ['_____ and ****', text('_____ and ****')],
  ['[a [b](c)](d)', text('[a '), { type: 'link', href: 'c', children: [text('b')] }, text('](d)')],
];

void test('marks within a paragraph become nodes, and a mark that never closes stays a sign', () => {
  for (const [source, ...children] of INLINE) assert.deepEqual(parseMarkdown(source), [paragraph(...children)], source);
});

void test('lists nest by how far they are set in, and keep their numbers, boxes and code', () => {
  assert.deepEqual(parseMarkdown('3. a\n   - [x] b\n\n     c\n4. d\n   ```js\nlet e\n   ```\n* f'), [
    {
      type: 'list',
      ordered: true,
      start: 3,
      items: [
        {
          children: [
            paragraph(text('a')),
            { type: 'list', ordered: false, start: 1, items: [{ checked: true, children: [paragraph(text('b')), paragraph(text('c'))] }] },
          ],
        },
        { children: [paragraph(text('d')), { type: 'code', text: 'let e', language: 'js', fence: '```', closed: true }] },
      ],
    },
    { type: 'list', ordered: false, start: 1, items: [{ children: [paragraph(text('f'))] }] },
  ]);
});

void test('headings, quotes, rules, tables and tags are blocks with or without blank lines between them', () => {
  assert.deepEqual(parseMarkdown('## T ##\r\nwords\n> q\n> > r\n---\n| a | b |\n|:-:|--:|\n| 1 | x\\|y | z |\n| 2\n\n<details>\n*s*'), [
    { type: 'heading', level: 2, children: [text('T')] },
    paragraph(text('words')),
    { type: 'quote', children: [paragraph(text('q')), { type: 'quote', children: [paragraph(text('r'))] }] },
    { type: 'rule' },
    {
      type: 'table',
      align: ['center', 'right'],
      head: [[text('a')], [text('b')]],
      rows: [
        [[text('1')], [text('x|y | z')]],
        [[text('2')], []],
      ],
    },
    { type: 'html', text: '<details>\n*s*' },
  ]);
});

void test('a fence that is not closed yet is code to the end', () => {
  assert.deepEqual(parseMarkdown('~~~~py\n```\nx'), [{ type: 'code', text: '```\nx', language: 'py', fence: '~~~~', closed: false }]);
  assert.deepEqual(parseMarkdown('```not a fence```'), [paragraph({ type: 'code', text: 'not a fence' })]);
});

void test('the plain words keep addresses and the shape of lists', () => {
  assert.equal(
    renderPlain('# A **b**\n- [ ] c `d`\n  1. e\n\n> [f](http://g) <mailto:h@i>\n\n| j | k |\n|---|---|\n| l | m |\n```\nn\n```'),
    'A b\n\n• ☐ c d\n  1. e\n\n> f (http://g) h@i\n\nj | k\nl | m\n\nn',
  );
});

const SIGNS = [
  '*',
  '**',
  '_',
  '`',
  '```',
  '~~',
  '||',
  '|',
  '[',
  '](',
  ')',
  '![',
  '<',
  '>',
  '> ',
  '- ',
  '1. ',
  '# ',
  '\\',
  '&',
  '\n',
  '\n\n',
  '  ',
  'a',
  '中',
  '👩‍👩‍👧',
  '\ud83d',
  '|-|',
  ':',
  '"',
  'http://',
  '\t',
] as const;

void test('any text has a tree', async () => {
  await forAll(2_000, (chance) => {
    const source = chance.list(0, 60, () => chance.pick(SIGNS)).join('');
    assert.equal(typeof renderPlain(source), 'string');
  });
});

void test('signs repeated many thousand times have a tree as well', () => {
  const units = SIGNS.flatMap((first) => [first, `${first}a `, `a${first}`, `${first}\n`, `[${first}`, `> ${first}`, `- ${first}\n `]);
  for (const unit of units) assert.equal(typeof renderPlain(unit.repeat(20_000 / unit.length)), 'string');
  for (const unit of ['*a ', '[](', '[a](<', '``` `', '> - ', '[a](b "', '<http:', '*a **b '])
    assert.ok(renderPlain(unit.repeat(100_000)) !== '');
});
