import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasEffectConflict, schedule } from '../../../src/agent/schedule.ts';
import type { Effects } from '../../../src/contracts/effects.ts';
import { forAll } from '../../../src/testing/seeded-random.ts';

const read = (...resources: string[]): Effects => ({ kind: 'read', resources });
const write = (...resources: string[]): Effects => ({ kind: 'write', resources });
const person: Effects = { kind: 'read', resources: [], interactive: true };

const CLASHES: readonly (readonly [name: string, a: Effects, b: Effects, clashes: boolean])[] = [
  ['two reads of one thing', read('path:/a'), read('path:/a'), false],
  ['a read and a write of one thing', read('path:/a'), write('path:/a'), true],
  ['a write below what is read', read('path:/a'), write('path:/a/b/c'), true],
  ['a write above what is read', read('path:/a/b'), write('path:/a'), true],
  ['names that only begin alike', read('path:/a'), write('path:/ab'), false],
  ['a folder named with its slash', write('path:/a/'), read('path:/a/b'), true],
  ['the root and anything', write('path:/'), read('path:/x'), true],
  ['two writes of different things', write('path:/a'), write('path:/b'), false],
  ['a write of everything', write('*'), read('web'), true],
  ['a read of everything beside a read', read('*'), read('path:/a'), false],
  ['writes that touch nothing', write(), write(), false],
  ['a person beside a read', person, read('path:/a'), true],
  ['two persons', person, person, true],
];
for (const [name, a, b, clashes] of CLASHES) {
  test(`${name} ${clashes ? 'clash' : 'do not clash'}`, () =>
    assert.deepEqual([hasEffectConflict(a, b), hasEffectConflict(b, a)], [clashes, clashes]));
}

const GROUPS: readonly (readonly [name: string, calls: readonly Effects[], width: number, sizes: readonly number[]])[] = [
  ['nothing', [], 8, []],
  ['reads side by side', [read('a'), read('a'), read('b')], 8, [3]],
  ['no more than the width', [read('a'), read('a'), read('a')], 2, [2, 1]],
  ['one at a time', [read('a'), read('b')], 1, [1, 1]],
  ['a write between reads of the same thing', [read('a'), write('a'), read('a')], 8, [1, 1, 1]],
  ['a call never overtakes one before it', [write('a'), write('a'), read('b')], 8, [1, 2]],
];
for (const [name, calls, width, sizes] of GROUPS) {
  test(`${name}: groups of ${sizes.join(', ') || 'none'}`, () => {
    const groups = schedule(
      calls.map((effects) => ({ effects })),
      width,
    );
    assert.deepEqual(
      groups.map((group) => group.length),
      sizes,
    );
    assert.deepEqual(
      groups.flat().map(({ effects }) => effects),
      calls,
    );
  });
}

test('groups keep the order, the width and hold no clash', () =>
  forAll(500, (chance) => {
    const calls = chance.list(0, 10, () => ({
      effects: chance.pick([read, write])(...chance.list(0, 2, () => chance.pick(['*', 'path:/a', 'path:/a/b', 'path:/c', 'web']))),
    }));
    const width = chance.int(1, 4);
    const groups = schedule(calls, width);
    assert.deepEqual(groups.flat(), calls);
    for (const group of groups) {
      assert.ok(group.length >= 1 && group.length <= width);
      for (const [index, one] of group.entries())
        for (const other of group.slice(index + 1)) assert.ok(!hasEffectConflict(one.effects, other.effects));
    }
  }));
