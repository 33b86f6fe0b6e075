import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  hintsAtLoss,
  isForce,
  isLossVerb,
  isMadeAgain,
  isStrong,
  isVerbLike,
  soundsLikeLoss,
  soundsLikeOpening,
} from '../../../../../src/parts/safety/command/rules/loss.ts';

test('verbs of loss are heard within a word, but not when they are denied', () => {
  for (const word of ['delete', 'db:drop', 'wipeData', 'users_purge', 'delete-all']) assert.equal(soundsLikeLoss(word), true, word);
  for (const word of ['no-delete', 'skipReset', 'droplet', 'undeleted', 'reset-cache']) assert.equal(soundsLikeLoss(word), false, word);
});
test('in names nobody knows, also stems and verbs of switching off count', () => {
  for (const word of ['ldapdelete', 'powercycle', 'stop-node']) assert.equal(hintsAtLoss(word), true, word);
  for (const word of ['delta', 'wiper', 'deliver']) assert.equal(hintsAtLoss(word), false, word);
});
test('public is a folder as a word and opens as a flag', () => {
  assert.equal(soundsLikeOpening('public'), false);
  assert.equal(soundsLikeOpening('--public'), true);
  assert.equal(soundsLikeOpening('make-public'), true);
  assert.equal(soundsLikeOpening('deploy:web'), true);
});
test('flags of force count unless they are switched off', () => {
  assert.deepEqual(['--force', '--dangerously-skip', '--force=false', '--forced'].map(isForce), [true, true, false, false]);
});
test('single verbs, strong ones, caches and what looks like a verb', () => {
  assert.deepEqual([isLossVerb('RM'), isLossVerb('rmdir')], [true, false]);
  assert.deepEqual([isStrong('infra:destroy'), isStrong('remove')], [true, false]);
  assert.deepEqual([isMadeAgain('clear-cache'), isMadeAgain('clear-users')], [true, false]);
  assert.deepEqual([isVerbLike('db:reset'), isVerbLike('v1.2'), isVerbLike('a/b')], [true, false, false]);
});
