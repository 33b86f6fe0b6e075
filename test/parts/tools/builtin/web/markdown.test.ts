import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toMarkdown } from '../../../../../src/parts/tools/builtin/web/page/markdown.ts';
import { stripTags, extractTitle } from '../../../../../src/parts/tools/builtin/web/page/strip-tags.ts';

const never = new AbortController().signal;

test('a page that keeps the parsers busy for ever comes as its bare text, and nothing else waits for it', async () => {
  const deep = `<html><title>Deep</title><body>${'<div>'.repeat(5_000)}<p>The words.</p>${'</div>'.repeat(5_000)}</body></html>`;
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 5);
  const read = await toMarkdown(deep, 'https://example.org/', never, 300);
  clearInterval(ticking);
  assert.deepEqual(read, { title: 'Deep', text: 'The words.', note: 'shown as bare text: the page took longer than 0.3 s to convert' });
  assert.ok(ticks > 0, 'the loop went on');
});

test('a stop ends a conversion', async () => {
  const read = await toMarkdown('<p>words</p>', 'https://example.org/', AbortSignal.abort());
  assert.deepEqual(read, { title: '', text: 'words', note: 'shown as bare text: the conversion was stopped' });
});

test('tags are taken off in one pass, whatever they are', () => {
  for (const [html, text] of [
    ['<p>one</p><p>two &amp; three</p>', 'one\n\ntwo & three'],
    ['a<script>if (a < b) alert("</p>")</script>b', 'ab'],
    ['a<!-- <p>no</p> -->b', 'ab'],
    ['a<style>p{}</style >b', 'ab'],
    ['&#65;&#x42;&nbsp;&unknown;&#9999999;', 'AB &unknown;&#9999999;'],
    ['1 < 2', '1'],
    ['<li>x<li>y', 'x\ny'],
    ['<script'.repeat(100_000), ''],
    ['<'.repeat(500_000), ''],
    ['<!--'.repeat(200_000), ''],
    ['<script>'.repeat(100_000), ''],
    ['<p>x</p>'.repeat(2), 'x\n\nx'],
  ] as const)
    assert.equal(stripTags(html), text, html.slice(0, 60));
  assert.equal(extractTitle('<html><title lang="en">A &lt; B\n c</title>'), 'A < B c');
  assert.equal(extractTitle('<p>none</p>'), '');
});

const PAGES: readonly [what: string, html: string, text: string][] = [
  [
    'a table with thead',
    '<html><body><table><caption>People</caption><thead><tr><th>Name</th><th>Age</th></tr></thead><tbody><tr><td>Ada</td><td>36</td></tr></tbody><tfoot><tr><td>All</td><td>1</td></tr></tfoot></table></body></html>',
    'People\n\n| Name | Age |\n| --- | --- |\n| Ada | 36 |\n| All | 1 |',
  ],
  [
    'a table with a cell over two columns',
    '<html><body><table><thead><tr><th colspan="2">Both</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table></body></html>',
    '| Both | |\n| --- | --- |\n| 1 | 2 |',
  ],
  ['a page without <html>', '<!doctype html><title>Not twice</title><h1>Head</h1><p>Words.', '## Head\n\nWords.'],
  ['inline handlers', '<html><body><p onclick="if (a > b) go()">Words > signs.</p></body></html>', 'Words > signs.'],
];
for (const [what, html, expected] of PAGES)
  test(`${what} comes out right`, async () => assert.equal((await toMarkdown(html, 'https://example.org/', never)).text, expected));

test('inline handlers and tables come out right as bare text too', () => {
  assert.equal(stripTags("<p onclick=\"if (a > b) { go('x') }\" id='a>b'>Words</p>"), 'Words');
  assert.equal(stripTags('<a title = ">">x</a> <b class="open>y</b>'), 'x y', 'a quote that is never closed ends with its tag');
  assert.equal(stripTags('<table><thead><tr><th>Name</th><th>Age</th></tr></thead><tr><td>Ada<td>36</table>'), 'Name Age\n\nAda 36');
  const odd = '<a ="'.repeat(100_000);
  assert.equal(stripTags(odd), '');
});
