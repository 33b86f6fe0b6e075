import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toMarkdown } from '../../../../../src/parts/tools/builtin/web/page/markdown.ts';
import { stripTags, titleIn } from '../../../../../src/parts/tools/builtin/web/page/strip-tags.ts';

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
  assert.equal(titleIn('<html><title lang="en">A &lt; B\n c</title>'), 'A < B c');
  assert.equal(titleIn('<p>none</p>'), '');
});
