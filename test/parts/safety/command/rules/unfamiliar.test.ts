import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeCommand } from '../../../../../src/parts/safety/command-floor.ts';

const PLACE = { cwd: '/home/ada/project', home: '/home/ada' };
const keys = (line: string): readonly string[] => {
  const verdict = judgeCommand(line, PLACE);
  return verdict.type === 'fine' ? [] : verdict.key.split('+');
};

test('a program nobody knows is asked about by the words it is told', () => {
  for (const line of [
    'fooctl delete cluster',
    'fooctl cluster wipe',
    'foodelete all',
    'fooctl run --force',
    'fooctl share notes',
    'fooctl upload --make-public',
    'fooctl --query "drop everything"',
    'fooctl scan ~',
  ])
    assert.ok(keys(line).includes('unfamiliar'), line);
});
test('a program nobody knows that says nothing of loss runs', () => {
  for (const line of [
    'fooctl list',
    'fooctl delete --help',
    'fooctl delete x --dry-run',
    'fooctl clear-cache',
    'fooctl build --site public',
    'fooctl run --no-delete src',
    '/tmp/delete-me-test run',
  ])
    assert.deepEqual(keys(line), [], line);
});
test('known tools are judged by their own rules', () => {
  for (const line of ['poetry remove requests', 'nx reset', 'python3.12 -m unittest', 'gcc-13 -o delete delete.c'])
    assert.deepEqual(keys(line), [], line);
});
test('tasks and scripts of the project go by what they are called', () => {
  for (const line of [
    'make db-reset',
    'npm run wipe:prod',
    'npm run release',
    './scripts/deploy.sh',
    'make deploy',
    'node scripts/purge-users.js --confirm',
    'bazel run //tools:nuke',
    './bin/admin destroy --all',
  ])
    assert.ok(keys(line).includes('task_loss'), line);
  for (const line of [
    'make clean',
    'npm run db:reset:test',
    './scripts/deploy.sh staging',
    './scripts/deploy.sh --dry-run',
    'make release',
    'python scripts/purge_cache.py',
    'node --test test/purge-users.test.js',
    'make uninstall',
    'bundle exec rake db:rollback',
  ])
    assert.deepEqual(keys(line), [], line);
});
