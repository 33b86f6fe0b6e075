import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../src/base/errors.ts';
import { createBuiltinRegistry } from '../../src/commands/builtin.ts';
import { readSlash } from '../../src/commands/slash.ts';

const registry = createBuiltinRegistry();
const read = (line: string) => {
  const typed = readSlash(line, { registry, place: 'chat', sessionId: 's1', exact: true });
  return typed.type === 'command' ? [typed.command.name, typed.values] : undefined;
};
const values = (more: Readonly<Record<string, unknown>> = {}) => ({ session: 's1', ...more });

const TYPED: readonly (readonly [line: string, ReturnType<typeof read>])[] = [
  ['/rollback', ['rollback', values()]],
  ['  /rollback list ', ['rollback list', values()]],
  ['/rollback 1', ['rollback', values({ checkpoint: '1' })]],
  ['/rollback 2 --all', ['rollback', values({ checkpoint: '2', all: true })]],
  ['/rollback --all 2', ['rollback', values({ checkpoint: '2', all: true })]],
  ['/rollback 3 src/my file.ts', ['rollback', values({ checkpoint: '3', file: 'src/my file.ts' })]],
  ['/rollback diff 2', ['rollback diff', values({ checkpoint: '2' })]],
  ['/rollback diff 2 a.txt', ['rollback diff', values({ checkpoint: '2', file: 'a.txt' })]],
  ['/rollback diff', ['rollback diff', values()]],
  ['/rollback c_019a --all src', ['rollback', values({ checkpoint: 'c_019a', file: 'src', all: true })]],
  ['/rollbacks 1', undefined],
  ['please /rollback 1', undefined],
];

test('rollbacks, as they are typed', () => {
  assert.deepEqual(
    TYPED.map(([line]) => [line, read(line)]),
    TYPED,
  );
});

test('an option nobody knows is told and taken for no file', () => {
  for (const line of [
    '/rollback 1 --json',
    '/rollback --everything',
    '/rollback list --all',
    '/rollback diff 1 --all',
    '/rollback 1 a.txt --al',
  ])
    assert.throws(
      () => read(line),
      (error) =>
        error instanceof UsageError && /^\/rollback(?: list| diff)? does not know --\w+ here: it is \/rollback/.test(error.message),
      line,
    );
});
