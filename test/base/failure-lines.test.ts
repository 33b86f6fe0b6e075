import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawFailures, findFailureLines } from '../../src/base/failure-lines.ts';

const FAILED = [
  'not ok 17 - parses dates',
  '  ✖ parses dates (3ms)',
  'FAIL src/a.test.ts',
  '--- FAIL: TestParse (0.00s)',
  'tests/test_a.py::test_parse FAILED',
  'test parse ... FAILED',
  '12 passed, 1 failed',
  'E       assert 1 == 2',
  'src/a.c:3:1: error: expected ;',
  "src/a.ts(4,2): error TS2304: Cannot find name 'x'.",
  'error[E0308]: mismatched types',
  'TypeError: x is not a function',
  'Traceback (most recent call last):',
  "thread 'main' panicked at src/main.rs:2",
  'fatal: not a git repository',
  'npm ERR! code 1',
  '2026-01-01 [ERROR] no such table',
  'sh: 1: foo: command not found',
];
const FINE = [
  'ok 4 - reports errors: all of them',
  '✔ an Error: is shown (1ms)',
  'PASS src/error.test.ts',
  '0 errors, 3 warnings',
  'compiling error-handling.ts',
  'The failure rate is low.',
  'no failures',
  'Error'.repeat(20),
];

test('lines that tell of a failure, and lines that only speak of one', () => {
  assert.deepEqual(
    findFailureLines(FAILED.join('\n')).map(({ text }) => text),
    FAILED.map((line) => line.trimEnd()),
  );
  assert.deepEqual(findFailureLines(FINE.join('\n')), []);
});

test('of many the first thirty and the last ten are kept, with their true numbers', () => {
  const many = Array.from({ length: 100 }, (_, index) => `ok ${index}\nnot ok ${index}`).join('\n');
  const found = findFailureLines(many);
  assert.deepEqual([found.length, found[0]?.number, found[29]?.number, found[30]?.number, found.at(-1)?.number], [40, 2, 60, 182, 200]);
  assert.equal(drawFailures(found.slice(0, 1)), 'L2: not ok 0');
  assert.equal(many.slice(found[3]?.at ?? 0).startsWith('not ok 3\n'), true);
});
