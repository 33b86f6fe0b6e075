import { resolveHome } from '../../base/home.ts';
import type { HomeUser } from '../../contracts/services/profiles.ts';
import { findGateway } from '../../faces/gateway/process/claims.ts';
import { findApiServer } from '../../faces/serve/api/state-file.ts';
import { findStore } from '../../parts/store/home-store.ts';
import { isStoreOpen } from '../../parts/store/is-store-open.ts';

/** Who works in a home, so that it cannot be moved away. */
export async function findHomeUser(root: string): Promise<HomeUser | undefined> {
  const [gateway, server] = [findGateway(root), findApiServer(root)];
  if (gateway !== undefined) return { who: `the gateway (process ${gateway.pid})`, stop: 'hermes gateway stop' };
  if (server !== undefined) return { who: `hermes serve (process ${server.pid})`, stop: `kill ${server.pid}` };
  const store = await findStore(resolveHome({ HERMES_HOME: root }));
  return store !== undefined && isStoreOpen(store) ? OTHER_USER : undefined;
}

const OTHER_USER: HomeUser = { who: 'another hermes, such as an open chat or an editor,', stop: 'close it where it is open' };
