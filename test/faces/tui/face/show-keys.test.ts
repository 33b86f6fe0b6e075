import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asksForKeys, describeKeys } from '../../../../src/faces/tui/face/show-keys.ts';
import { resolveKeys } from '../../../../src/faces/tui/input/keys.ts';

test('/help keys tells the keys as they are now, without actions that have none, and those of extensions', () => {
  assert.deepEqual(['/help keys', '/HELP  keys ', '/help', '/help keysmith'].map(asksForKeys), [true, true, false, false]);
  const { actions } = resolveKeys({ overrides: { queue: ['alt+q', 'f3'], thinking: [] } });
  const told = describeKeys(actions, [{ key: 'f2', owner: 'side-panel', description: 'Show the panel', run: () => {} }]);
  assert.match(told, /^Alt\+Q, F3 +Send the message after the running turn \(queue\)$/m);
  assert.match(told, /^F2 +Show the panel \(of side-panel\)$/m);
  assert.doesNotMatch(told, /thinking/i);
  assert.match(told, /display\.keys/);
});
