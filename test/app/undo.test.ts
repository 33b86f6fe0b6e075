import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asRollback } from '../../src/app/undo.ts';

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
