import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listDisplayValues, nextDisplayValue } from '../../src/commands/settings.ts';

test('a face goes through the values of a display setting and comes back to the first', () => {
  const values = listDisplayValues('display.tool_progress');
  assert.deepEqual(values, ['off', 'new', 'all', 'verbose']);
  let value = 'off';
  const seen = values.map(() => (value = nextDisplayValue('display.tool_progress', value)));
  assert.deepEqual(seen, ['new', 'all', 'verbose', 'off']);
  assert.equal(nextDisplayValue('display.timestamps', 'on'), 'off');
  assert.equal(nextDisplayValue('display.timestamps', 'off'), 'on');
  assert.equal(nextDisplayValue('display.skin', 'mono'), 'mono', 'any name will do, so there is no next');
});
