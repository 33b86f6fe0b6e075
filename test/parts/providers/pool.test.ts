import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listCredentials, findCredentialSecret } from '../../../src/parts/providers/keys.ts';
import { createCredentialPool, SOLE_REST_MS, type PoolStrategy } from '../../../src/parts/providers/pool.ts';
import type { ProviderProfile } from '../../../src/contracts/provider-profile.ts';

const ACME: ProviderProfile = {
  id: 'acme',
  aliases: [],
  protocol: 'openai-chat',
  baseUrl: 'https://api.acme.example',
  keyEnvs: ['ACME_KEY', 'ACME_TOKEN'],
};
const ENV = { ACME_KEY: 'k1, k2,', ACME_KEY_2: 'k3', ACME_KEY_4: 'unreached', ACME_TOKEN: 'k1' };

test('several keys of one variable, numbered variables, no key twice', () => {
  const names = listCredentials(ACME, ENV);
  assert.deepEqual(names, ['ACME_KEY', 'ACME_KEY#2', 'ACME_KEY_2']);
  assert.deepEqual(
    names.map((name) => findCredentialSecret(name, ENV)),
    ['k1', 'k2', 'k3'],
  );
  assert.deepEqual([findCredentialSecret('ACME_KEY#9', ENV), findCredentialSecret('NONE', ENV)], [undefined, undefined]);
  assert.deepEqual(listCredentials(ACME, {}), []);
});

const kept = () => {
  const facts = new Map<string, string>();
  return { fact: async (key: string) => facts.get(key), learn: async (key: string, value: string) => void facts.set(key, value) };
};
const setUp = (
  strategy: PoolStrategy,
  names: readonly string[] = ['a', 'b', 'c'],
  facts = kept(),
  prints: Readonly<Record<string, string>> = {},
) => {
  const clock = { now: 0 };
  const pool = createCredentialPool({
    credentials: new Map([['acme', names]]),
    strategy,
    now: () => clock.now,
    random: () => 0.99,
    facts,
    printOf: (name) => prints[name] ?? '',
  });
  return {
    clock,
    pool,
    take: async (count: number) => {
      const taken: (string | undefined)[] = [];
      while (taken.length < count) taken.push(await pool.next('acme'));
      return taken;
    },
  };
};

const STRATEGIES: readonly (readonly [PoolStrategy, readonly string[]])[] = [
  ['fill_first', ['a', 'a', 'a', 'a']],
  ['round_robin', ['a', 'b', 'c', 'a']],
  ['least_used', ['a', 'b', 'c', 'a']],
  ['random', ['c', 'c', 'c', 'c']],
];
for (const [strategy, order] of STRATEGIES) {
  test(`strategy ${strategy}`, async () => {
    assert.deepEqual(await setUp(strategy).take(4), order);
    const facts = kept();
    const runs: (string | undefined)[] = [];
    while (runs.length < 4) runs.push(...(await setUp(strategy, ['a', 'b', 'c'], facts).take(1)));
    assert.deepEqual(runs, order, 'one run each');
  });
}

test('a key that was refused rests, then comes back', async () => {
  const { clock, pool } = setUp('fill_first');
  await pool.rest('a', 300_000);
  assert.equal(await pool.next('acme', 'a'), 'b');
  await pool.rest('b', 3_600_000);
  assert.equal(await pool.next('acme', 'b'), 'c');
  await pool.rest('c', 3_600_000);
  assert.equal(await pool.next('acme', 'c'), undefined);
  clock.now = 300_000;
  assert.equal(await pool.next('acme'), 'a');
  assert.equal(await pool.next('nobody'), undefined);
});

test('the only key rests a minute at most', async () => {
  const { clock, pool } = setUp('fill_first', ['a']);
  await pool.rest('a', 3_600_000);
  assert.equal(await pool.next('acme'), undefined);
  clock.now = SOLE_REST_MS;
  assert.equal(await pool.next('acme'), 'a');
});

test('a rest outlives the pool, and not its key', async () => {
  const facts = kept();
  await setUp('fill_first', ['a', 'b'], facts, { a: 'old' }).pool.rest('a', 300_000);
  assert.equal(await setUp('fill_first', ['a', 'b'], facts, { a: 'old' }).pool.next('acme'), 'b');
  assert.equal(await setUp('fill_first', ['a', 'b'], facts, { a: 'new' }).pool.next('acme'), 'a');
});

test('a key that joins later need not catch up', async () => {
  const facts = kept();
  await setUp('least_used', ['a', 'b'], facts).take(100);
  const later = await setUp('least_used', ['a', 'b', 'c'], facts).take(6);
  assert.deepEqual(
    later.map(String).toSorted((one, other) => one.localeCompare(other)),
    ['a', 'a', 'b', 'b', 'c', 'c'],
  );
});
