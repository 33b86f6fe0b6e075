import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreError } from '../../../../src/contracts/session-store.ts';
import type { DispatchDeps } from '../../../../src/faces/gateway/receive/contract.ts';
import { handleArrival } from '../../../../src/faces/gateway/receive/dispatch.ts';
import { createSuspects } from '../../../../src/faces/gateway/receive/suspects.ts';
import { createArrival } from '../../../../src/testing/conformance/gateway-store-samples.ts';
import { stageGatewayStore } from '../../../parts/store/stage.ts';

/** Handles an arrival that cannot be handled, with a store that refuses to take it back with each of these errors; gives what the log says. */
async function putBackWith(...refusals: readonly Error[]): Promise<{ readonly log: readonly string[]; readonly left: number }> {
  await using staged = await stageGatewayStore();
  const { gateway } = staged;
  await gateway.receive([createArrival('1', 'hello')], []);
  const [taken] = await gateway.take('arrival', { owner: 'test', leaseMs: 60_000, limit: 1 });
  assert.ok(taken !== undefined);
  const log: string[] = [];
  const left = [...refusals];
  const defer: typeof gateway.defer = async (...given) => {
    const refusal = left.shift();
    if (refusal !== undefined) throw refusal;
    await gateway.defer(...given);
  };
  const deps: Partial<DispatchDeps> = {
    store: { gateway: { ...gateway, defer } } as never,
    suspects: createSuspects(),
    findAccount: () => {
      throw new Error('it is broken');
    },
    clock: { now: () => 0, sleep: async () => {} },
    log: (words) => log.push(words),
  };
  await handleArrival(taken, deps as DispatchDeps, new AbortController().signal);
  return { log, left: left.length };
}

const [busy, full] = [new StoreError('busy', 'The store is busy.'), new StoreError('full', 'The disk is full.')];

test('a message is put back as soon as the store is well again, and its log says once what is wrong', async () => {
  assert.deepEqual(await putBackWith(busy, busy, full, full, full), {
    log: [
      'telegram: a message could not be handled: it is broken',
      'telegram: that message could not be put back either: The store is busy.',
      'telegram: that message could not be put back either: The disk is full.',
    ],
    left: 0,
  });
});

test('what never passes is not tried for ever', async () => {
  const corrupt = new StoreError('corrupt', 'The store is damaged.');
  assert.deepEqual(await putBackWith(busy, corrupt, corrupt, corrupt), {
    log: [
      'telegram: a message could not be handled: it is broken',
      'telegram: that message could not be put back either: The store is busy.',
      'telegram: that message could not be put back either: The store is damaged.',
    ],
    left: 2,
  });
});
