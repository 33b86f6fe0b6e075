import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listDisablingNames, withDisabled, withEnabled } from '../../src/parts/tools/switched-tools.ts';
import { TOOLSETS } from '../../src/parts/tools/toolsets.ts';

const sets = [
  ...TOOLSETS,
  { name: 'mcp-ev', description: '', tools: ['mcp__ev__echo', 'mcp__ev__sum'], includes: [] },
  { name: 'mcp-new', description: '', tools: [], includes: [] },
  { name: 'loop', description: '', tools: ['read_file', 'patch'], includes: ['loop', 'web'] },
];

/** What is off, what is switched on, and what is off then. */
const ON: readonly (readonly [off: readonly string[], names: readonly string[], left: readonly string[]])[] = [
  [['web'], ['web'], []],
  [['web', 'todo'], ['web_search'], ['web_extract', 'todo']],
  [['web_search', 'todo'], ['web'], ['todo']],
  [['web'], ['search'], ['web_extract']],
  [['debugging'], ['web_search'], ['terminal', 'web_extract', 'file']],
  [
    ['debugging', 'web'],
    ['web_search', 'web_extract'],
    ['terminal', 'file'],
  ],
  [['mcp-ev'], ['mcp__ev__sum'], ['mcp__ev__echo']],
  [['mcp-new', 'gone'], ['mcp-new'], ['gone']],
  [['gone'], ['gone'], []],
  [['web'], ['todo'], ['web']],
  [['loop'], ['patch'], ['read_file', 'web']],
  [[], ['web'], []],
];
for (const [off, names, left] of ON)
  test(`with ${off.join(', ') || 'nothing'} off, ${names.join(', ')} comes back and ${left.join(', ') || 'nothing'} stays off`, () => {
    assert.deepEqual(withEnabled(off, names, sets), left);
  });

test('one tool out of everything', () => {
  const left = withEnabled(['all'], ['web_search'], sets);
  assert.deepEqual(listDisablingNames('web_search', left, sets), []);
  for (const tool of ['web_extract', 'terminal', 'mcp__ev__echo', 'cronjob'])
    assert.notDeepEqual(listDisablingNames(tool, left, sets), [], tool);
});

test('what is off already is not written twice; a set is, though its tools are off one by one', () => {
  assert.deepEqual(withDisabled(['web'], ['web', 'web_search', 'todo'], sets), ['web', 'todo']);
  assert.deepEqual(withDisabled(['web_search', 'web_extract'], ['web'], sets), ['web_search', 'web_extract', 'web']);
});

test('a tool says what keeps it away', () => {
  assert.deepEqual(listDisablingNames('web_search', ['web', 'todo', 'web_search', 'debugging'], sets), ['web', 'web_search', 'debugging']);
  assert.deepEqual(listDisablingNames('todo', ['web'], sets), []);
});
