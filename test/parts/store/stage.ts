import type { SessionStore } from '../../../src/contracts/session-store.ts';
import type { StoreHolder } from '../../../src/parts/store/sqlite/holder.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import type { StagedStore } from '../../../src/testing/conformance/gateway-store-samples.ts';
import { DEAD, freshPath } from './places.ts';

/** A store in a file of its own, by a clock that stands still, as `wrap` gives it. */
export async function stageGatewayStore(wrap = (store: SessionStore): SessionStore => store): Promise<StagedStore> {
  const path = freshPath();
  let clock = 1_700_000_000_000;
  const opened = new AsyncDisposableStack();
  const open = async (holder?: StoreHolder): Promise<SessionStore> =>
    opened.use(wrap(await openSqliteStore({ path, durability: 'process', now: () => clock, ...(holder && { holder }) })));
  const store = await open();
  return {
    store,
    gateway: store.gateway,
    now: () => clock,
    advance: (ms) => void (clock += ms),
    again: () => open(),
    dead: () => open(DEAD),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
