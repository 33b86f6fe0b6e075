import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { openStage } from '../invariants/stage.ts';
import { assertWhole } from './checks.ts';
import { DEEDS, type Deed } from './moments.ts';
import { exitOf } from './outcomes.ts';
import { PLANTS } from './plants.ts';
import { sized } from '../../size.ts';
import { tell, type Told } from './world.ts';

/** HERMES_FAULTS=all takes every moment of the story, not those of its compactions alone. */
const ALL = process.env['HERMES_FAULTS'] === 'all';

const stage = await openStage();
const calm = await tell(stage, undefined);
const compactionsOf = ({ entries }: Told) => entries.flatMap((entry) => (entry.type === 'compaction' ? [entry] : []));
const refusedIn = ({ entries }: Told) => entries.filter((entry) => entry.type === 'note' && entry.compaction?.outcome === 'refused').length;
/** Sessions of all stories, with what the commits said was in them. */
const kept = new Map([[calm.session.id, calm.log]]);
/** Moments at which something went wrong, over all deeds. */
let faults = 0;

test('the story without a fault has several compactions, one because the provider refused, and three answers', (context) => {
  assertWhole(calm);
  const reasons = compactionsOf(calm).map(({ report }) => report?.reason);
  assert.deepEqual(reasons, ['threshold', 'threshold', 'threshold', 'overflow', 'threshold', 'threshold']);
  const inside = calm.moments.filter(({ compacting }) => compacting);
  context.diagnostic(`${calm.moments.length} moments, ${inside.length} of them in compactions`);
  assert.ok(inside.length >= 50, 'there are moments enough');
});

for (const { deed, suits, every } of DEEDS) {
  test(`${deed} in a compaction: no turn is lost, no call is parted from its result, nothing is done twice`, async (context) => {
    const places = calm.moments.flatMap(({ label, compacting }, at) => ((ALL || compacting) && suits(label) ? [at] : []));
    const sum = { stories: 0, processes: 0, compactions: 0, refused: 0 };
    for (const at of places.filter((_, place) => ALL || place % (every * sized(3, 1)) === 0)) {
      const told = await withFault(at, deed);
      sum.stories++;
      sum.processes += told.lives;
      sum.compactions += compactionsOf(told).length;
      sum.refused += refusedIn(told);
    }
    faults += sum.stories;
    const { stories, processes, compactions, refused } = sum;
    context.diagnostic(`${stories} of ${places.length} moments: ${processes} processes, ${compactions} compactions, ${refused} refused`);
    assert.ok(stories > 0 && compactions > 0);
    if (deed === 'silence') assert.ok(refused > 0, 'without a model the old view stays');
  });
}

/** One story with its fault, looked at whole. */
async function withFault(at: number, deed: Deed): Promise<Told> {
  const label = calm.moments[at]?.label;
  try {
    const told = await tell(stage, { at, deed });
    kept.set(told.session.id, told.log);
    assert.equal(told.moments[at]?.label, label, 'up to its fault the story is the same');
    assertWhole(told);
    return told;
  } catch (error) {
    throw new Error(`${deed} at moment ${at} (${label}): ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

test('who opens the store anew finds every log as its commits left it', async (context) => {
  const again = await openSqliteStore({ path: join(stage.folder, 'state.db'), durability: 'process' });
  after(() => again[Symbol.asyncDispose]());
  for (const [sessionId, log] of kept) assert.deepEqual(await again.entries(sessionId), log);
  context.diagnostic(`${faults} faults, ${kept.size} logs`);
  assert.ok(kept.size > 50);
});

test('a stop while a refused request is made smaller is told as a stop', async () => {
  const refused = calm.moments.findIndex(({ label }) => label === 'provider failed');
  const at = calm.moments.findIndex(({ label }, place) => place > refused && label === 'summariser before');
  const told = await withFault(at, 'abort');
  const stopped = told.entries.filter(({ origin }) => origin === 'user').map(({ turnId }) => exitOf(told.entries, turnId));
  assert.deepEqual(stopped, ['answered', 'interrupted', 'answered']);
});

for (const { name, plant, crashAt, seen } of PLANTS) {
  test(`the checks see ${name}`, async () => {
    const at = calm.moments.findIndex(({ label }) => label === crashAt);
    const told = await tell(stage, crashAt === undefined ? undefined : { at, deed: 'crash' }, plant);
    assert.throws(() => assertWhole(told), seen);
  });
}
