import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../agent/setup.ts';
import { injected, isRight, MUTATIONS, OTHERS } from './mutations.ts';
import { sized } from '../size.ts';

const SEEDS = sized(['1'], ['1', '2']);

test('there are eight kinds of mutations', () => assert.equal(Object.keys(MUTATIONS).length, 8));

for (const [name, mutation] of Object.entries({ ...MUTATIONS, ...OTHERS }))
  test(`a mutation between two calls is attributed: ${name}`, async () => {
    const root = tempFolder();
    for (const seed of SEEDS) {
      const finding = await injected(seed, mutation, join(root, seed));
      assert.ok(isRight(mutation, finding), `seed ${seed}: ${finding.cause} in ${finding.segment ?? 'nothing'}: ${finding.words}`);
    }
  });
