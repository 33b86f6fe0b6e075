import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abbreviateHome } from '../../src/base/home.ts';

test('a path in the folder of the person begins with a tilde, and only such a path', () => {
  const shown = ['/home/ada', '/home/ada/work', '/home/adam/work', '/srv/home/ada', '/'].map((path) => abbreviateHome(path, '/home/ada'));
  assert.deepEqual(shown, ['~', '~/work', '/home/adam/work', '/srv/home/ada', '/']);
  assert.equal(abbreviateHome('/srv/data', '/'), '/srv/data');
});
