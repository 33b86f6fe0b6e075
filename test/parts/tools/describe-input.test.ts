import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeAct } from '../../../src/parts/tools/describe-input.ts';
import { isCut } from '../../../src/base/brief.ts';

const ROWS: readonly (readonly [input: unknown, place: string, words: string])[] = [
  [{ command: "printf 'echo hi' > .git/hooks/x" }, 'a git hook', "write to a git hook: printf 'echo hi' > .git/hooks/x"],
  [{ command: 'ls', workdir: '/w' }, 'a git hook', 'write to a git hook (workdir: "/w"): ls'],
  [{ path: '../other.txt', content: 'hi' }, '/home/other.txt', 'write to /home/other.txt: hi'],
  [{ path: 'AGENTS.md', content: 'one\ntwo' }, 'a context file', 'write to a context file (path: "AGENTS.md"):\none\ntwo'],
  [{ path: 'a', old_string: 'x' }, '/a', 'write to /a: {"path":"a","old_string":"x"}'],
  [{ path: 'a', old_string: 'x', new_string: 'y' }, '/a', 'write to /a (old_string: "x"): y'],
  ['plain', '/a', 'write to /a: plain'],
];
for (const [input, place, words] of ROWS)
  test(`${JSON.stringify(input)} reads as ${words}`, () => assert.equal(describeAct(`write to ${place}`, input, place), words));

test('calls that differ never read the same, and a long text counts by its hash', () => {
  const read = (input: unknown): string => describeAct('write', input);
  assert.notEqual(read({ command: 'ls', workdir: '/w' }), read({ command: 'workdir: "/w"): ls' }));
  const [one, other] = ['a', 'b'].map((end) => read({ path: 'x', content: 'x'.repeat(1_000) + end }));
  assert.ok(one !== other && isCut(one ?? ''));
});
