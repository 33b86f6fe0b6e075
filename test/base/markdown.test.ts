import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { createMarkdownStream, renderMarkdown, type MarkdownOptions } from '../../src/base/markdown/stream.ts';
import { colours, plain } from '../../src/base/screen/paint.ts';
import { measureWidth } from '../../src/base/width.ts';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';

const at = (columns: number, paint = plain): MarkdownOptions => ({ paint, columns: () => columns });
const drawn = (source: string, columns = 40): string => renderMarkdown(source, at(columns));

const CASES: Readonly<Record<string, readonly [source: string, shown: string]>> = {
  'a heading loses nothing but its end marks': ['## Title ##\n\ntext', '## Title\n\ntext\n'],
  'words are wrapped at the edge': ['one two three four five six seven eight nine', 'one two three four five six seven eight\nnine\n'],
  'a line break stays one': ['Name: a\nAge: b', 'Name: a\nAge: b\n'],
  'blank lines are one': ['a\n\n\n\nb', 'a\n\nb\n'],
  'an item goes on under its words': [
    '- one two three four five six seven eight nine',
    '• one two three four five six seven\n  eight nine\n',
  ],
  'numbers stay, items in items are set in': ['1. a\n   - b\n10) c', '1. a\n   • b\n10) c\n'],
  'tasks have boxes': ['- [ ] a\n- [x] b', '☐ a\n☑ b\n'],
  'a quotation has a bar': ['> a\n> b', '│ a\n│ b\n'],
  'code stays as it is': ['```sh\nls  *a* | wc\n\n\techo\n```\nb', '  ls  *a* | wc\n\n      echo\n\nb\n'],
  'a fence in an item loses its indent': ['- a\n  ```\n  x\n    y\n  ```', '• a\n\n  x\n    y\n'],
  'a fence that never closes is code to the end': ['```\na', '  a\n'],
  'a link says where it leads': ['see [the page](https://a.b/c) now', 'see the page (https://a.b/c) now\n'],
  'an address is not repeated': ['<https://a.b> [https://a.b](https://a.b)', 'https://a.b https://a.b\n'],
  'marks that are none stay': ['2 * 3 * 4, snake_case_name, a ** b, **open', '2 * 3 * 4, snake_case_name, a ** b,\n**open\n'],
  'escaped marks stay': ['\\*a\\* \\`b\\`', '*a* `b`\n'],
  'a rule': ['a\n\n---\n\nb', `a\n\n${'─'.repeat(40)}\n\nb\n`],
  'a table has aligned columns': ['| A | Long head |\n|---|---|\n| 1 | **b** `c\\|d` |', 'A  Long head\n─  ─────────\n1  b `c|d`\n'],
  'columns stand where the rule says': [
    '| Name | Size | Mid |\n|:---|---:|:-:|\n| a | 12 | x |\n| b | 中文 | long |',
    'Name  Size  Mid\n────  ────  ────\na       12   x\nb     中文  long\n',
  ],
  'a table that does not fit becomes a list': [
    `| First | Second | Third | Fourth |\n|-|-|-|-|\n|${' some words |'.repeat(4)}`,
    '• First: some words\n  Second: some words\n  Third: some words\n  Fourth: some words\n',
  ],
  'bars without a rule are words': ['| a | b |\ntext', '| a | b |\ntext\n'],
  'wide letters count double': ['中'.repeat(25), `${'中'.repeat(20)}\n${'中'.repeat(5)}\n`],
};
for (const [name, [source, shown]] of Object.entries(CASES)) test(name, () => assert.equal(drawn(source), shown));

test('marks become colours where there are any', () => {
  const shown = renderMarkdown('# a\n**b** *c* ~~d~~ `e` [f](g)', at(80, colours));
  assert.equal(stripVTControlCharacters(shown), 'a\nb c d e f (g)\n');
  for (const code of [1, 3, 9, 36, 4, 2]) assert.ok(shown.includes(`\u001b[${code}m`), String(code));
});

test('words go out as they come: all but the one that is not over', () => {
  const stream = createMarkdownStream(at(80));
  assert.deepEqual(
    ['Hel', 'lo wor', 'ld and ', '**bo', 'ld', '** more '].map((delta) => stream.push(delta)),
    ['', 'Hello', ' world and', '', '', ' bold more'],
  );
  assert.equal(stream.midLine, true);
  assert.equal(stream.end(), '\n');
});

test('scripts without blanks go out as they come, and punctuation does not begin a line', () => {
  const stream = createMarkdownStream(at(20));
  const shown: string[] = [];
  const source = '今日は天気がいいので、散歩に行きましょう。「はい」と答えた。';
  for (const sign of source) shown.push(stream.push(sign));
  assert.ok(shown.slice(0, 4).join('').length >= 3, 'the first signs are shown at once');
  const whole = shown.join('') + stream.end();
  assert.equal(whole, drawn(source, 20));
  assert.equal(whole.replaceAll('\n', ''), source);
  for (const line of whole.split('\n')) assert.doesNotMatch(line, /^[、。」]|「$/);
});

test('a mark that never closes holds back no more than a few lines', () => {
  const stream = createMarkdownStream(at(80));
  const shown = stream.push(`**${'word '.repeat(200)}`);
  assert.ok(shown.length > 400);
});

test('nothing in the text can move the cursor, also in pieces', () => {
  const stream = createMarkdownStream(at(80));
  const shown = ['a\u001b', ']52;c;QQ==\u0007', '\u001b[2Jb\r', '\nc\u202ed'].map((delta) => stream.push(delta)).join('') + stream.end();
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  assert.doesNotMatch(shown, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
});

const PARTS = [
  'word ',
  '中文 ',
  '中文',
  '漢字かな。',
  '「𠀋」',
  '**',
  '*',
  '_',
  '`',
  '~~',
  '\n',
  '\n\n',
  '# ',
  '- ',
  '1. ',
  '> ',
  '```\n',
  '| a | b |\n',
  '|---|---|\n',
  '[x](y)',
  '\\',
  '  ',
  'https://a.b/c_d ',
  '---\n',
  '😀',
  '[',
  '](',
  ')',
  '\t',
];

test('however a text is cut into pieces, the same is drawn, and no line is wider than the screen', () => {
  const { int } = createSeededRandom('markdown');
  const below = (most: number) => int(0, most - 1);
  for (let round = 0; round < 400; round++) {
    const source = Array.from({ length: 1 + below(40) }, () => PARTS[below(PARTS.length)] ?? '').join('');
    const columns = [20, 40, 80][below(3)] ?? 80;
    const whole = drawn(source, columns);
    const stream = createMarkdownStream(at(columns));
    let pieces = '';
    for (let from = 0; from < source.length;) {
      const to = from + 1 + below(9);
      pieces += stream.push(source.slice(from, to));
      from = to;
    }
    assert.equal(pieces + stream.end(), whole, JSON.stringify({ source, columns }));
    const painted = stripVTControlCharacters(renderMarkdown(source, at(columns, colours)));
    for (const line of [...whole.split('\n'), ...painted.split('\n')])
      assert.ok(measureWidth(line) <= columns, JSON.stringify({ source, columns, line }));
  }
});

test('marks in color take no room', () => {
  const source = '1. one two three four five six seven eight';
  assert.equal(stripVTControlCharacters(renderMarkdown(source, at(40, colours))), drawn(source));
});
