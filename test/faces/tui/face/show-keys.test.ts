import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawKeys, isKeysLine } from '../../../../src/faces/tui/face/show-keys.ts';
import { resolveKeys } from '../../../../src/faces/tui/input/keys.ts';
import { drawContext } from '../input/draw.ts';

test('/help keys tells the keys as they are now, with actions that have none and the keys of extensions', () => {
  assert.deepEqual(['/help keys', '/HELP  keys ', '/help', '/help keysmith'].map(isKeysLine), [true, true, false, false]);
  const keys = resolveKeys({ overrides: { queue: ['alt+q', 'f3'], thinking: [] } });
  const told = drawKeys(keys, [{ key: 'f2', owner: 'side-panel', description: 'Show the panel', run: () => {} }], drawContext()).join('\n');
  assert.match(told, /^Alt\+Q, F3 +Send the message after the running turn · queue$/m);
  assert.match(told, /^F2 +Show the panel · of side-panel$/m);
  assert.match(told, /^– .* · thinking$/m);
  assert.match(told, /display\.keys/);
});
