import { testGatewayStoreConformance } from '../../../src/testing/conformance/gateway-store.ts';
import type { StagedStore } from '../../../src/testing/conformance/gateway-store-samples.ts';
import type { ClaimHolder } from '../../../src/parts/store/sqlite/holder.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { DEAD, freshPath } from './places.ts';

async function stage(): Promise<StagedStore> {
  const path = freshPath();
  let clock = 1_700_000_000_000;
  await using opened = new AsyncDisposableStack();
  const open = async (holder?: ClaimHolder) =>
    opened.use(await openSqliteStore({ path, durability: 'process', now: () => clock, ...(holder && { holder }) }));
  const store = await open();
  const closing = opened.move();
  return {
    store,
    gateway: store.gateway,
    now: () => clock,
    advance: (ms) => void (clock += ms),
    again: async () => closing.use(await openSqliteStore({ path, durability: 'process', now: () => clock })),
    dead: async () => closing.use(await openSqliteStore({ path, durability: 'process', now: () => clock, holder: DEAD })),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

testGatewayStoreConformance('SQLite', stage);
