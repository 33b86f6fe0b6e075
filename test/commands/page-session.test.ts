import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fenceText, fenceTextWithKey } from '../../src/base/fence.ts';
import { splitFences } from '../../src/commands/page-fences.ts';
import { drawCode } from '../../src/commands/page-highlight.ts';
import { createTextBlock } from '../../src/contracts/message.ts';
import { drawToolCall } from '../../src/commands/page-tool-call.ts';
import { drawMarkdown } from '../../src/commands/page-markdown.ts';
import { createSessionPage } from '../../src/commands/page-session.ts';
import { CALLS, ENTRIES, SESSION } from './hostile-session.ts';

const PAGE = createSessionPage({ session: SESSION, entries: ENTRIES, calls: CALLS });
const article = (seq: number): string => PAGE.split('<article ').find((part) => part.startsWith(`id="e${seq}"`)) ?? '';

test('every entry stands in its place, results with the call they answer although ids come again', () => {
  assert.deepEqual(
    [...PAGE.matchAll(/<article id="e(\d+)"/g)].map(([, seq]) => Number(seq)),
    [1, 2, 3, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17],
  );
  assert.match(
    article(3),
    /<code>terminal npm test[^<]*&lt;script[^<]*<\/code> <span class="bad">failed<\/span> <span class="faint">4\.2 s/,
  );
  assert.match(article(3), /1 failing/);
  assert.match(article(6), /Changed src\/parse\.ts\./);
  assert.match(article(6), /<span class="del">-  return \{ list \};\n<\/span><span class="add">\+  \/\/ &lt;script&gt;/);
});

test('what was taken back is marked, what it cost is told with its turn, and changes of the model are', () => {
  assert.deepEqual(
    [...PAGE.matchAll(/<article id="e(\d+)" class="[^"]*rewound"/g)].map(([, seq]) => Number(seq)),
    [11, 12, 13],
  );
  assert.match(article(11), /<span class="tag">taken back<\/span><time datetime="2026-11-14T10:21:50\.000Z">/);
  assert.match(article(10), /answered<\/span>, 2 calls, 20,800 tokens in \(88% from cache\), 480 out, \$0\.02/);
  assert.match(article(8), /some-model → some-provider claude-haiku-4\.5 &lt;b&gt;: the provider is overloaded/);
});

test('thinking, calls, prompt and fences are folded; stored pictures are in the page', () => {
  assert.match(article(1), /<summary>Project file: AGENTS\.md<\/summary>/);
  assert.match(article(3), /<details class="thinking"><summary>Thinking<\/summary>/);
  assert.match(article(3), /<details class="fence"><summary>Text from outside: https:\/\/example\.org\/<\/summary>/);
  assert.match(article(3), /&lt;outside key=&quot;00000000&quot;&gt;/, 'a mark with another key is text');
  assert.match(article(2), /<img alt="[^"]+" src="data:image\/png;base64,iVBOR/);
  assert.match(article(2), /cannot be shown here: image\/svg\+xml/);
});

test('only marks of ours part a text: in a prompt those without a key, in a result those with a key of the session', () => {
  const inside = fenceText('memory', { name: 'user' }, 'likes tea </memory> really');
  assert.deepEqual(splitFences(`a\n${inside}\nb`), [
    { type: 'plain', text: 'a\n' },
    { type: 'fence', mark: 'memory', attributes: ' name="user"', text: 'likes tea &lt;/memory> really' },
    { type: 'plain', text: '\nb' },
  ]);
  const keyed = fenceTextWithKey('outside', 'a1b2c3d4', {}, 'x');
  assert.deepEqual(splitFences(keyed, ['a1b2c3d4']), [{ type: 'fence', mark: 'outside', attributes: '', text: 'x' }]);
  assert.deepEqual(splitFences(keyed, ['00000000']), [{ type: 'plain', text: keyed }]);
  assert.deepEqual(splitFences(keyed, []), [{ type: 'plain', text: keyed }]);
});

test('code has colors in a language that is known, and is plain text in any other', () => {
  assert.match(drawCode('const a = 1;', 'ts').source, /<span class="hljs-keyword">const<\/span>/);
  assert.equal(drawCode('<a & b>', 'klingon').source, '<pre><code>&lt;a &amp; b&gt;</code></pre>');
  assert.doesNotMatch(drawCode('const a = 1;\n'.repeat(6_000), 'ts').source, /hljs/, 'too long to be colored');
  assert.doesNotMatch(drawCode('"<script>"', 'js').source, /<script/);
});

test('only addresses a reader may follow are links', () => {
  assert.equal(
    drawMarkdown('[a](https://example.org/?a=1&b="2) [b](javascript:x) [c](file:///etc/passwd)').source.trim(),
    '<p><a href="https://example.org/?a=1&amp;b=&quot;2" rel="noreferrer noopener nofollow">a</a> b (javascript:x) c (file:///etc/passwd)</p>',
  );
  assert.match(drawMarkdown('# Title').source, /<h3>Title<\/h3>/);
});

test('a change is shown once: in the words of the result, or below them where they do not have it', () => {
  const diff = '@@ -1 +1 @@\n-old\n+new\n';
  const call = { type: 'tool_call', id: 'c', name: 'patch', input: { path: 'a.txt' }, trust: 'model' } as const;
  const draw = (words: string): string =>
    drawToolCall(
      call,
      {
        type: 'message',
        origin: 'tool',
        id: 'e',
        seq: 1,
        at: 0,
        sessionId: 's',
        message: { role: 'tool', callId: 'c', name: 'patch', content: [createTextBlock(words, 'tool')], failed: false },
        details: { kind: 'diff', files: [{ path: 'a.txt', change: 'changed', diff, added: 1, removed: 1 }] },
      },
      [],
    ).source;
  const count = (words: string): number => draw(words).split('+new').length - 1;
  assert.deepEqual([count(`Changed.\n--- a/a.txt\n+++ b/a.txt\n${diff}`), count('Changed.')], [1, 1]);
});
