import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findJsonObject, isBrokenOff } from '../../src/base/json-in-text.ts';
import { parseArguments } from '../../src/parts/providers/protocols/calls.ts';

const FOUND: readonly (readonly [text: string, found: unknown])[] = [
  ['```json\n{"path": "a"}\n```', { path: 'a' }],
  ['{"path": "a"} I read the file now.', { path: 'a' }],
  ['Here: {"path": "{a} \\" }"}', { path: '{a} " }' }],
  ['{"path": "a"}{"path": "b"}', undefined],
  ['{"path": oops}', undefined],
  ['{"path": "a', undefined],
  ['path a', undefined],
];
for (const [text, found] of FOUND) test(`the object in ${JSON.stringify(text)}`, () => assert.deepEqual(findJsonObject(text), found));

test('a text is broken off when a value in it is still open', () => {
  for (const text of ['{', '{"a', '{"a": [1', '[{"a": 1}', '"{\\"a', '```json\n{"a": "x']) assert.equal(isBrokenOff(text), true, text);
  for (const text of ['{"a": oops}', '[1]', 'no JSON', '{} {']) assert.equal(isBrokenOff(text), false, text);
});

const READ: readonly (readonly [raw: string, input: unknown, malformed?: true])[] = [
  ['', {}],
  ['null', {}],
  ['"{\\"a\\": 1}"', { a: 1 }],
  ['[{"a": 1}]', { a: 1 }],
  ['```\n{"a": 1}\n```\nDone.', { a: 1 }],
  ['[1, 2]', {}, true],
  ['"a.txt"', {}, true],
  ['{"a": 1} or {"a": 2}', {}, true],
];
for (const [raw, input, malformed] of READ)
  test(`arguments ${JSON.stringify(raw)}`, () =>
    assert.deepEqual(parseArguments(raw), { input, ...(malformed === true && { malformed: raw }) }));
