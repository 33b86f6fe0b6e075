import { setTimeout as sleep } from 'node:timers/promises';
import { readPath } from '../../../../src/base/json.ts';
import { serve } from '../../../../src/faces/environments/serve/serve.ts';
import { createAtroposCall, startTrainer } from '../../../../src/testing/atropos/call.ts';
import { pull, stageServe } from './scene.ts';

const BATCH = 4;
const GROUP = 2;
const OFFPOLICY = 2;
/** Looks at the API, 10 ms apart, in which nothing more may be begun. */
const LOOKS = 10;

export interface SlowTrainerResult {
  /** Groups that waited at the API whenever the trainer had not asked for so long that nothing was under way. */
  readonly held: readonly number[];
  readonly attempts: number;
  /** Attempts that were begun and are in no group the API has. */
  readonly thrownAway: number;
}

/** A trainer that asks for a batch only when the environment has come to rest. */
export async function runSlowTrainer(url: string, batches: number): Promise<SlowTrainerResult> {
  const call = createAtroposCall(url);
  await startTrainer(call, BATCH, 1_000_000);
  const stop = new AbortController();
  await using scene = await stageServe({ url, env: { max_batches_offpolicy: OFFPOLICY, group_size: GROUP, steps_per_eval: 1_000_000 } });
  const served = serve(scene.deps(stop.signal));
  const asked = (): number => [...scene.asked.values()].reduce((sum, count) => sum + count, 0);
  const held: number[] = [];
  for (let round = 0; round <= batches; round++) {
    await rest(asked, () => scene.told.at(-1)?.phase === 'held' && scene.told.at(-1)?.running === 0);
    held.push(Number(readPath((await call('GET', '/status')).body, 'queue_size')));
    await pull(call);
  }
  await rest(asked, () => scene.told.at(-1)?.running === 0);
  stop.abort();
  const { counts } = await served;
  return { held, attempts: asked(), thrownAway: asked() - counts.accepted * GROUP };
}

/** Until it is so, and nobody has been asked anything for a while. */
async function rest(asked: () => number, isSo: () => boolean): Promise<void> {
  for (let [looks, before] = [0, -1]; looks < LOOKS; await sleep(10)) {
    looks = isSo() && asked() === before ? looks + 1 : 0;
    before = asked();
  }
}
