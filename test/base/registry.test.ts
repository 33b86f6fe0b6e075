import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRegistry } from '../../src/base/registry.ts';
import { forAll } from '../../src/testing/seeded-random.ts';

const rows = <Item>(registry: { entries(): ReadonlyMap<string, Item> }): [string, Item][] => [...registry.entries()];

test('the latest of a name holds where the first stood; taking it back reveals the one before', () => {
  const registry = createRegistry({ a: 1, b: 2 });
  const second = registry.add('a', 3);
  const third = registry.add('a', 4);
  assert.deepEqual(rows(registry), [
    ['a', 4],
    ['b', 2],
  ]);
  second[Symbol.dispose]();
  assert.equal(registry.get('a'), 4);
  third[Symbol.dispose]();
  assert.deepEqual(rows(registry), [
    ['a', 1],
    ['b', 2],
  ]);
});

test('taking back twice takes nobody else away, not even the same thing of another', () => {
  const registry = createRegistry<string>();
  const mine = registry.add('a', 'same');
  registry.add('a', 'same');
  mine[Symbol.dispose]();
  mine[Symbol.dispose]();
  assert.equal(registry.get('a'), 'same');
});

test('what is removed is hidden until it is shown again; what is added meanwhile shows', () => {
  const registry = createRegistry({ a: 1, b: 2 });
  const hidden = registry.remove('a');
  assert.deepEqual([registry.get('a'), registry.names()], [undefined, ['b']]);
  const added = registry.add('a', 3);
  assert.deepEqual(rows(registry), [
    ['a', 3],
    ['b', 2],
  ]);
  added[Symbol.dispose]();
  assert.equal(registry.get('a'), undefined);
  hidden[Symbol.dispose]();
  assert.deepEqual(rows(registry), [
    ['a', 1],
    ['b', 2],
  ]);
});

test('several are added and taken back at once', () => {
  const registry = createRegistry({ a: 1 });
  {
    using _ = registry.addAll({ b: 2, a: 3 });
    assert.deepEqual(rows(registry), [
      ['a', 3],
      ['b', 2],
    ]);
  }
  assert.deepEqual(rows(registry), [['a', 1]]);
});

test('what was read stays as it was read, and is the same until something changes', () => {
  const registry = createRegistry({ a: 1 });
  const before = registry.entries();
  assert.equal(registry.entries(), before);
  const added = registry.add('b', 2);
  assert.deepEqual([...before], [['a', 1]]);
  assert.notEqual(registry.entries(), before);
  added[Symbol.dispose]();
  const after = registry.entries();
  added[Symbol.dispose]();
  assert.equal(registry.entries(), after, 'taking back twice changes nothing');
});

test('names every object has are names like others', () => {
  const registry = createRegistry<number>();
  assert.equal(registry.get('constructor'), undefined);
  registry.add('__proto__', 1);
  assert.deepEqual(registry.names(), ['__proto__']);
});

/** The plainest list that keeps the promises: everything added, in order, with what is left of it. */
function plainList() {
  let added: { readonly name: string; readonly item: number }[] = [];
  let order: string[] = [];
  return {
    add(name: string, item: number) {
      const row = { name, item };
      added.push(row);
      if (!order.includes(name)) order.push(name);
      return () => {
        added = added.filter((each) => each !== row);
        order = order.filter((each) => added.some((left) => left.name === each));
      };
    },
    entries: () => order.map((name) => [name, added.findLast((row) => row.name === name)?.item]),
  };
}

test('after any adding and taking back it says what the plainest list says', async () => {
  await forAll(200, (chance) => {
    const [registry, plain] = [createRegistry<number>(), plainList()];
    const taken: (() => void)[] = [];
    for (let step = 0; step < 60; step++) {
      if (taken.length > 0 && chance.hits(0.45)) taken[chance.int(0, taken.length - 1)]?.();
      else {
        const name = chance.pick(['a', 'b', 'c', 'd', 'e']);
        const [one, other] = [registry.add(name, step), plain.add(name, step)];
        taken.push(() => (one[Symbol.dispose](), other()));
      }
      assert.deepEqual([...registry.entries()], plain.entries());
      assert.deepEqual(
        registry.names(),
        plain.entries().map(([name]) => name),
      );
    }
  });
});
