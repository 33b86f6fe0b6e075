import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from '../../../../../src/parts/safety/command/call/call.ts';
import { askBeyondWays } from '../../../../../src/parts/safety/command/rules/ways.ts';

const rule = askBeyondWays('k', 'r', {
  'tool toolx': { fine: 'list config/view|get **/show pick/... get-*', not: 'list/--wide pick/bad', sharp: '--force', values: '-n --ns' },
  hammer: { fine: '', looks: '-l --list*', bare: 'sharp' },
});
const place = { cwd: '/w', home: '/h', base: '/w' };
const asked = (line: string): boolean => {
  const [name = '', ...args] = line.split(' ');
  const call: Call = {
    name,
    path: name,
    args,
    settings: [],
    writes: [],
    replaces: [],
    reads: [],
    fed: [],
    piped: false,
    from: [],
    feeds: false,
    background: false,
    place,
  };
  return rule.matches(name, args, call, place);
};

test('known ways are fine, whatever stands behind them', () => {
  for (const line of [
    'tool list',
    'tool list a b',
    'tool -n x list',
    'toolx config get a',
    'tool config',
    'tool a b c show',
    'tool pick x y',
    'tool get-all',
  ])
    assert.equal(asked(line), false, line);
});
test('other verbs are asked about, and verbs of loss behind a known way', () => {
  for (const line of ['tool apply', 'tool config set a', 'tool list delete x', 'tool a delete show', 'tool show create'])
    assert.equal(asked(line), true, line);
});
test('exceptions and sharp flags count wherever they stand', () => {
  for (const line of ['tool list --wide', 'tool --wide list', 'tool pick bad', 'tool list --force', 'tool list --force=yes'])
    assert.equal(asked(line), true, line);
});
test('without a verb a tool shows how it is called, unless it does more', () => {
  assert.equal(asked('tool'), false);
  assert.equal(asked('hammer'), true);
  assert.equal(asked('hammer --listing'), false);
  assert.equal(asked('hammer nail'), true);
});
test('help is no use of a verb, but only before another command begins', () => {
  assert.equal(asked('tool apply --help'), false);
  assert.equal(asked('tool apply -- x --help'), true);
  assert.equal(asked('other apply'), false);
});
