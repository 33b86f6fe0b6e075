import assert from 'node:assert/strict';
import { test } from 'node:test';
import { credentialsOf, secretOf } from '../../../src/parts/providers/keys.ts';
import { credentialPool, SOLE_REST_MS, type Strategy } from '../../../src/parts/providers/pool.ts';
import type { Profile } from '../../../src/parts/providers/profile.ts';

const ACME: Profile = {
  id: 'acme',
  aliases: [],
  protocol: 'openai-chat',
  baseUrl: 'https://api.acme.example',
  keyEnvs: ['ACME_KEY', 'ACME_TOKEN'],
};
const ENV = { ACME_KEY: 'k1, k2,', ACME_KEY_2: 'k3', ACME_KEY_4: 'unreached', ACME_TOKEN: 'k1' };

test('several keys of one variable, numbered variables, no key twice', () => {
  const names = credentialsOf(ACME, ENV);
  assert.deepEqual(names, ['ACME_KEY', 'ACME_KEY#2', 'ACME_KEY_2']);
  assert.deepEqual(
    names.map((name) => secretOf(name, ENV)),
    ['k1', 'k2', 'k3'],
  );
  assert.deepEqual([secretOf('ACME_KEY#9', ENV), secretOf('NONE', ENV)], [undefined, undefined]);
  assert.deepEqual(credentialsOf(ACME, {}), []);
});

const setUp = (strategy: Strategy, names: readonly string[] = ['a', 'b', 'c']) => {
  const clock = { now: 0 };
  const pool = credentialPool({
    credentials: new Map([['acme', names]]),
    strategy,
    now: () => clock.now,
    random: () => 0.99,
  });
  return { clock, pool, take: (count: number) => Array.from({ length: count }, () => pool.next('acme')) };
};

const STRATEGIES: readonly (readonly [Strategy, readonly string[]])[] = [
  ['fill_first', ['a', 'a', 'a', 'a']],
  ['round_robin', ['a', 'b', 'c', 'a']],
  ['least_used', ['a', 'b', 'c', 'a']],
  ['random', ['c', 'c', 'c', 'c']],
];
for (const [strategy, order] of STRATEGIES) {
  test(`strategy ${strategy}`, () => assert.deepEqual(setUp(strategy).take(4), order));
}

test('a key that was refused rests, then comes back', () => {
  const { clock, pool } = setUp('fill_first');
  pool.rest('a', 300_000);
  assert.equal(pool.next('acme', 'a'), 'b');
  pool.rest('b', 3_600_000);
  assert.equal(pool.next('acme', 'b'), 'c');
  pool.rest('c', 3_600_000);
  assert.equal(pool.next('acme', 'c'), undefined);
  clock.now = 300_000;
  assert.equal(pool.next('acme'), 'a');
  assert.equal(pool.next('nobody'), undefined);
});

test('the only key rests a minute at most', () => {
  const { clock, pool } = setUp('fill_first', ['a']);
  pool.rest('a', 3_600_000);
  assert.equal(pool.next('acme'), undefined);
  clock.now = SOLE_REST_MS;
  assert.equal(pool.next('acme'), 'a');
});
