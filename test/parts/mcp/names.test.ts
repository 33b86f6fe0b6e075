import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toServerFileName, assignToolNames } from '../../../src/parts/mcp/names.ts';

test('names are plain where they can be', () => {
  assert.deepEqual(
    assignToolNames([
      { server: 'my-files', tool: 'read.text file' },
      { server: 'web', tool: 'größe' },
    ]),
    ['mcp__my_files__read_text_file', 'mcp__web__gr__e'],
  );
});

test('two that would be called the same get marks of their own, whatever their order', () => {
  const pair = [
    { server: 'a', tool: 'x-y' },
    { server: 'a', tool: 'x_y' },
  ] as const;
  const [first, second] = assignToolNames(pair);
  assert.deepEqual(assignToolNames(pair.toReversed()), [second, first]);
  assert.notEqual(first, second);
  assert.ok([first, second].every((name) => /^mcp__a__x_y_[0-9a-f]{8}$/.test(name ?? '')));
});

test('a name of which no letter is left has a mark to tell it by', () => {
  const alone = (tool: string) => assignToolNames([{ server: 'n', tool }])[0] ?? '';
  assert.match(alone('日本'), /^mcp__n_{5}[0-9a-f]{8}$/);
  assert.notEqual(alone('日本'), alone('中国'));
  assert.match(assignToolNames([{ server: '日本', tool: 'read' }])[0] ?? '', /^mcp_{6}read_[0-9a-f]{8}$/);
});

test('no name is longer than providers take, and long ones stay apart', () => {
  const long = 'x'.repeat(100);
  const names = assignToolNames([
    { server: 's', tool: `${long}1` },
    { server: 's', tool: `${long}2` },
  ]);
  assert.equal(new Set(names).size, 2);
  assert.ok(names.every((name) => name.length === 64));
});

test('a file name leads nowhere else', () => {
  assert.equal(toServerFileName('my-files'), 'my-files.json');
  for (const name of ['../../etc/passwd', 'a/b', '..', '', 'x'.repeat(200)])
    assert.match(toServerFileName(name), /^\w*-[0-9a-f]{16}\.json$/, name);
  assert.notEqual(toServerFileName('a/b'), toServerFileName('a_b'));
});
