import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeScopes, readScope, readVerdict } from '../../../../src/faces/gateway/questions/verdicts.ts';

const ONCE = { choices: ['Yes, this once', 'No'] };
const ALL = { choices: ['Yes, this once', 'No', 'Yes, for this task', 'Yes, for this session'], typedAnswer: 'always' };

test('only the words that are offered answer a question for consent in a chat', () => {
  for (const words of ['okay but first explain', 'yes, but not there', 'tell me more', 'stop, explain first', 'sure', 'Yes, for this'])
    assert.equal(readVerdict(words, ALL), undefined, words);
  assert.equal(readVerdict('always', ONCE), undefined);
  assert.equal(readVerdict(' OK ', ALL), 'Yes, this once');
  assert.equal(readVerdict('yes, for this session', ALL), 'Yes, for this session');
});

test('a scope behind /approve counts only as it is offered', () => {
  for (const [scope, answer] of [
    ['', 'Yes, this once'],
    ['once', 'Yes, this once'],
    ['session', 'Yes, for this session'],
    ['Always', 'always'],
    ['no', undefined],
    ['s', undefined],
    ['this', undefined],
    ['session but first explain', undefined],
  ] as const)
    assert.equal(readScope('approve', scope, ALL), answer, scope);
  for (const scope of ['always', 'session', 'task']) assert.equal(readScope('approve', scope, ONCE), undefined, scope);
  assert.equal(readScope('deny', 'anything', ONCE), 'No');
  assert.equal(
    describeScopes(ALL),
    'Nothing was approved: that is not one of the answers. You can send /approve once, /approve task, /approve session, /approve always or /deny.',
  );
});
