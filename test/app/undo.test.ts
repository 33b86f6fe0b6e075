import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../src/base/errors.ts';
import { asRollback } from '../../src/parts/safety/checkpoints/lazy-undo.ts';

const WISHES: readonly (readonly [string, ReturnType<typeof asRollback>])[] = [
  ['/rollback', { action: 'list' }],
  ['  /rollback list ', { action: 'list' }],
  ['/rollback 1', { action: 'restore', ref: '1' }],
  ['/rollback 2 --all', { action: 'restore', ref: '2', all: true }],
  ['/rollback --all 2', { action: 'restore', ref: '2', all: true }],
  ['/rollback 3 src/my file.ts', { action: 'restore', ref: '3', file: 'src/my file.ts' }],
  ['/rollback diff 2', { action: 'diff', ref: '2' }],
  ['/rollback diff 2 a.txt', { action: 'diff', ref: '2', file: 'a.txt' }],
  ['/rollback diff', { action: 'list' }],
  ['/rollback c_019a --all src', { action: 'restore', ref: 'c_019a', file: 'src', all: true }],
  ['/rollbacks 1', undefined],
  ['please /rollback 1', undefined],
];

test('wishes for a rollback, as they are typed', () => {
  assert.deepEqual(
    WISHES.map(([words]) => [words, asRollback(words)]),
    WISHES,
  );
  assert.equal(asRollback(undefined), undefined);
});

test('a flag nobody knows is told and taken for no file', () => {
  for (const words of [
    '/rollback 1 --json',
    '/rollback --everything',
    '/rollback list --all',
    '/rollback diff 1 --all',
    '/rollback 1 a.txt --al',
  ])
    assert.throws(
      () => asRollback(words),
      (error) => error instanceof UsageError && /does not know --\w+ here: it is \/rollback \[N/.test(error.message),
      words,
    );
});
