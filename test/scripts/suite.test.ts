import assert from 'node:assert/strict';
import { test, type EventData } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { compareCounts } from '../../scripts/suite/assertion-counts.ts';
import { laneOf, laneOfText, type Lane } from '../../scripts/suite/lanes.ts';
import { newTally } from '../../scripts/suite/tally.ts';

const ASSERT = "import assert from 'node:assert/strict';\n";
const LANES: readonly (readonly [text: string, lane: Lane])[] = [
  [`${ASSERT}import { width } from '../../src/base/width.ts';\nassert.equal(width('a'), 1);`, 'shared'],
  [`${ASSERT}import {\n  rmSync,\n} from 'node:fs';\nafter(() => undefined);`, 'shared'],
  [`${ASSERT}const home = process.env['HOME'];\nif (process.env.CI === 'true') skip();`, 'shared'],
  [`${ASSERT}import { spawn } from 'node:child_process';`, 'beside'],
  [`${ASSERT}process.env['A'] = 'b';`, 'beside'],
  [`${ASSERT}process.env.A ??= 'b';`, 'beside'],
  [`${ASSERT}delete process.env['A'];`, 'beside'],
  [`${ASSERT}beforeEach(() => undefined);`, 'beside'],
  [`${ASSERT}globalThis.fetch = () => undefined;`, 'beside'],
  [`${ASSERT}  // alone: a stop in 250 ms.\n`, 'alone'],
  [`${ASSERT}// A file that is not alone: it says so in a sentence.\n`, 'shared'],
];
test('a file runs alone when it says so, in a shared process when it leaves that as it was, and beside others else', () => {
  assert.deepEqual(
    LANES.map(([text]) => laneOfText(text)),
    LANES.map(([, lane]) => lane),
  );
});

test('a file that has a helper start programs runs beside others', () => {
  assert.deepEqual(['test/walks/cli.test.ts', 'test/faces/gateway/send/preview.test.ts'].map(laneOf), ['beside', 'shared']);
});

const completed = (file: string, seconds: number): TestEvent => ({
  type: 'test:complete',
  data: {
    name: file,
    file: `${process.cwd()}/${file}`,
    nesting: 0,
    testNumber: 1,
    testId: 1,
    parentId: 0,
    tags: [],
    details: { passed: true, duration_ms: seconds * 1000 },
  },
});
const summed = (passed: number, failed: number, skipped: number): TestEvent => ({
  type: 'test:summary',
  data: {
    success: failed === 0,
    counts: { tests: passed + failed + skipped, passed, skipped, cancelled: 0, todo: 0, suites: 0, topLevel: 1 },
    duration_ms: 10,
    file: undefined,
  },
});
async function* streamOf(...events: TestEvent[]): AsyncGenerator<TestEvent> {
  yield* events;
}

test('the sums of all lanes are told once, with the slowest files, and one failure anywhere makes the suite red', async () => {
  const tally = newTally();
  const passedOn: string[] = [];
  const diagnostic: TestEvent = { type: 'test:diagnostic', data: { nesting: 0, message: 'tests 3', level: 'info' } };
  for (const events of [
    [completed('test/a.test.ts', 2), diagnostic, summed(3, 0, 1)],
    [completed('test/b.test.ts', 5), diagnostic, summed(4, 1, 0)],
  ])
    for await (const { type } of tally.count(streamOf(...events))) passedOn.push(type);
  assert.deepEqual(passedOn, ['test:complete', 'test:complete']);
  assert.deepEqual(
    tally.totals().map((event) => (event.type === 'test:diagnostic' ? event.data.message : '')),
    ['tests 9', 'suites 0', 'pass 7', 'fail 1', 'cancelled 0', 'skipped 1', 'todo 0', 'duration_ms 20'],
  );
  assert.equal(tally.closing(), '\nslowest files:\n    5.0 s  test/b.test.ts\n    2.0 s  test/a.test.ts\n\n7 passed, 1 failed, 1 skipped');
  assert.equal(tally.isGreen(), false);
});

const failed = (name: string, file: string, more: Partial<EventData.TestFail> = {}): TestEvent => ({
  type: 'test:fail',
  data: {
    name,
    file: `${process.cwd()}/${file}`,
    nesting: 0,
    testNumber: 1,
    testId: 1,
    parentId: 0,
    tags: [],
    details: { error: Object.assign(new Error('no'), { cause: 'no', failureType: 'testCodeFailure' }), duration_ms: 1 },
    ...more,
  },
});

test('a file that fails beside others and passes alone is green and named; one that fails again stays red', async () => {
  const ofMany = Object.assign(new Error('no'), { cause: '1 subtest failed', failureType: 'subtestsFailed' });
  const first = [
    failed('waits for an answer', 'test/a.test.ts'),
    failed('the suite of it', 'test/a.test.ts', { details: { error: ofMany, duration_ms: 1 } }),
    failed('a promise', 'src/testing/conformance/store.ts', { entryFile: `${process.cwd()}/test/b.test.ts` }),
    failed('known to fail', 'test/c.test.ts', { todo: 'some rows are let through' }),
    summed(7, 2, 1),
  ];
  for (const [second, green, counts] of [
    [[summed(3, 0, 0)], true, '9 passed, 0 failed, 1 skipped'],
    [[failed('waits for an answer', 'test/a.test.ts'), summed(2, 1, 0)], false, '7 passed, 2 failed, 1 skipped'],
  ] as const) {
    const tally = newTally();
    for await (const _ of tally.count(streamOf(...first)));
    assert.deepEqual(
      tally.failedFiles().map((file) => file.replace(`${process.cwd()}/`, '')),
      ['test/a.test.ts', 'test/b.test.ts'],
    );
    assert.equal(tally.isGreen(), false);
    for await (const _ of tally.countAgain(streamOf(...second)));
    assert.equal(tally.isGreen(), green);
    const named = '\nfailed beside others and passed alone:\n  test/a.test.ts: waits for an answer\n  test/b.test.ts: a promise\n';
    assert.equal(tally.closing(), `${green ? named : ''}\n${counts}`);
  }
});

test('a lost assertion is named; a file that moved is found by its name', () => {
  const before = { 'test/a/x.test.ts': [1, 5], 'test/a/y.test.ts': [2, 7], 'test/z.test.ts': [1, 1] } as const;
  const after = { 'test/b/x.test.ts': [1, 4], 'test/a/y.test.ts': [2, 9], 'test/new.test.ts': [1, 3] } as const;
  assert.deepEqual(compareCounts(before, after), {
    fewer: [
      'test/a/x.test.ts (now test/b/x.test.ts): assertions 5 → 4, tests 1 → 1',
      'test/z.test.ts: nowhere; it had 1 assertions in 1 tests',
    ],
    added: ['test/new.test.ts: 3 assertions'],
    total: { before: 13, after: 16 },
  });
});
