import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatherAlbum } from '../../../../src/faces/gateway/receive/album.ts';
import { createArrival } from '../../../../src/testing/conformance/gateway-store-samples.ts';
import { stageGatewayStore } from '../../../parts/store/stage.ts';

function partOf(text: string) {
  const arrival = createArrival('7', text);
  assert.ok(arrival.event.type === 'message');
  return { ...arrival, event: { ...arrival.event, group: 'album' } };
}

test('after a start an album waits for the link: the rest of it is still at the service', async () => {
  await using staged = await stageGatewayStore();
  const { gateway } = staged.store;
  await gateway.receive([partOf('first'), partOf('second')], []);
  const [first] = await gateway.take('arrival', { owner: 'one', leaseMs: 60_000, limit: 1 });
  assert.ok(first?.row.event.type === 'message');
  let [isConnected, naps] = [false, 0];
  const clock = {
    now: () => 0,
    sleep: async () => {
      naps++;
      // The link comes up at the third look, and brings what is missing.
      if (naps !== 3) return;
      await gateway.receive([partOf('third')], []);
      isConnected = true;
    },
  };
  const signal = new AbortController().signal;
  const { event, with: rest } = await gatherAlbum(first.taken, first.row.event, {
    store: gateway,
    clock,
    signal,
    isConnected: () => isConnected,
  });
  assert.deepEqual([event.text, rest.length], ['first\n\nsecond\n\nthird', 2]);
});

test('a link that stays away holds an album up for a while, not for good', async () => {
  await using staged = await stageGatewayStore();
  const { gateway } = staged.store;
  await gateway.receive([partOf('only')], []);
  const [first] = await gateway.take('arrival', { owner: 'one', leaseMs: 60_000, limit: 1 });
  assert.ok(first?.row.event.type === 'message');
  let waited = 0;
  const clock = { now: () => 0, sleep: async (ms: number) => void (waited += ms) };
  const { with: rest } = await gatherAlbum(first.taken, first.row.event, {
    store: gateway,
    clock,
    signal: new AbortController().signal,
    isConnected: () => false,
  });
  assert.deepEqual([rest, waited > 10_000 && waited < 20_000], [[], true]);
});
