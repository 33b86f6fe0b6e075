import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseDefaultModel, findModel } from '../../src/commands/choose-model.ts';

const OFFERED = [
  { id: 'vendor/alpha-4.6', window: 200_000 },
  { id: 'vendor/alpha-4.6-mini' },
  { id: 'vendor/beta-2', window: 8_000 },
  { id: 'embed-3' },
];

const FOUND: readonly (readonly [name: string, id: string])[] = [
  ['vendor/alpha-4.6', 'vendor/alpha-4.6'],
  ['VENDOR/Beta-2', 'vendor/beta-2'],
  ['beta', 'vendor/beta-2'],
  ['4.6-mini', 'vendor/alpha-4.6-mini'],
];
for (const [name, id] of FOUND) test(`${name} means ${id}`, () => assert.equal(findModel(name, OFFERED, 'p').id, id));

const REFUSED: readonly (readonly [name: string, words: RegExp])[] = [
  ['alpha', /p has no model alpha\. It could be vendor\/alpha-4\.6, vendor\/alpha-4\.6-mini\./],
  ['bata-2', /Did you mean vendor\/beta-2\? To list them: hermes model --provider p/],
  ['qqqqqq', /It offers vendor\/alpha-4\.6, /],
];
for (const [name, words] of REFUSED)
  test(`${name} is refused with what may have been meant`, () => assert.throws(() => findModel(name, OFFERED, 'p'), words));

test('without a list any name will do', () => assert.deepEqual(findModel('whatever', [], 'p'), { id: 'whatever' }));

test('the default is the first wish that is offered, else a model something is known of', () => {
  assert.equal(chooseDefaultModel(OFFERED, ['gone', 'vendor/beta-2']), 'vendor/beta-2');
  assert.equal(chooseDefaultModel(OFFERED.toReversed(), [undefined, 'gone']), 'vendor/beta-2');
  assert.equal(chooseDefaultModel([{ id: 'only' }], []), 'only');
  assert.equal(chooseDefaultModel([], [undefined, 'wish']), 'wish');
  assert.equal(chooseDefaultModel([], []), undefined);
});
