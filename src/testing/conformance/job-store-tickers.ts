import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE, type StageStore } from './gateway-store-samples.ts';

/** Who runs what is due. */
export function testTickers(stage: StageStore): void {
  test('a process that runs jobs is known from when it says so until it says it does not', async () => {
    await using staged = await stage();
    const { jobs } = staged.store;
    const other = (await staged.again()).jobs;
    const since = staged.now();
    await jobs.announce('gateway', MINUTE);
    staged.advance(2_000);
    await jobs.announce('gateway', MINUTE);
    staged.advance(500);
    const known = (await other.tickers()).map(({ kind, pid, since: began, msSinceLook }) => [kind, pid, began, msSinceLook]);
    deepEqual(known, [['gateway', process.pid, since, 500]]);
    await jobs.withdraw();
    deepEqual(await other.tickers(), []);
  });

  test('one that has died is known no more', async (context) => {
    await using staged = await stage();
    if (staged.dead === undefined) return context.skip('this store has no processes of its own machine');
    await (await staged.dead()).jobs.announce('gateway', MINUTE);
    deepEqual(await staged.store.jobs.tickers(), []);
  });
}
