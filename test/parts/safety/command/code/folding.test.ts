import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldProgram } from '../../../../../src/parts/safety/command/code/folding.ts';
import { tokenizeCode } from '../../../../../src/parts/safety/command/code/tokens.ts';

const textsIn = (code: string): string[] =>
  foldProgram(tokenizeCode(code, () => {}))
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text);

const ROWS: readonly (readonly [code: string, text: string])[] = [
  ["run('dr' + 'op table')", 'drop table'],
  ["run(chr(114) + chr(109) + ' x')", 'rm x'],
  ["run(''.join(chr(c) for c in [104, 105]))", 'hi'],
  ["run(''.join(map(chr, [104, 105])))", 'hi'],
  ["run('olleh'[::-1])", 'hello'],
  ["run('hello'[1:3])", 'el'],
  ["run(base64.b64decode('aGVsbG8=').decode())", 'hello'],
  ["run(bytes.fromhex('6869').decode())", 'hi'],
  ["run(Buffer.from('6869', 'hex') + '')", 'hi'],
  ['run(String.fromCharCode(104, 105))', 'hi'],
  ["run([104, 105].map(c => String.fromCharCode(c)).join(''))", 'hi'],
  ["run('hxllo'.replace('x', 'e'))", 'hello'],
  ["run('%s-%s' % ('a', 'b'))", 'a-b'],
  ["run('olleh'.split('').reverse().join(''))", 'hello'],
  ["run(strrev('ih'))", 'hi'],
  ["run(['6869'].pack('H*'))", 'hi'],
];
for (const [code, text] of ROWS)
  test(`what is put together is worked out: ${code}`, () => {
    assert.deepEqual(textsIn(code), [text]);
  });

test('a name that is given one text stands for it', () => {
  assert.ok(textsIn("x = 'ih'\nrun(x[::-1])").includes('hi'));
});

test('what is not known stays as it is', () => {
  assert.deepEqual(textsIn("run('a' + b + 'c'.join(d))"), ['a', 'c']);
});
