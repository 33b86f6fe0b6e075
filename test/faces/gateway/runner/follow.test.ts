import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wakeForgotten } from '../../../../src/faces/gateway/runner/follow.ts';
import { admitOne } from '../../../../src/testing/conformance/gateway-store-samples.ts';
import { beginSampleSession } from '../../../../src/testing/conformance/session-store-samples.ts';
import { stageGatewayStore } from '../../../parts/store/stage.ts';

test('a message that waits in a chat and that nobody is at work on is taken up; one of another program is not', async () => {
  await using staged = await stageGatewayStore();
  const { store, gateway } = staged;
  const [forgotten, busy] = [await admitOne(gateway, '1', 'hi'), await admitOne(gateway, '2', 'hi')];
  const { session: other } = await beginSampleSession(store);
  await store.post({ sessionId: other.id, mode: 'queue', content: [{ type: 'text', text: 'hi', trust: 'owner' }] });
  const woken: string[] = [];
  await wakeForgotten(store, { isBusy: (id) => id === busy.session.id, wake: (id) => void woken.push(id) });
  assert.deepEqual(woken, [forgotten.session.id]);
});
