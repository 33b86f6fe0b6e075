import { createHttpListeners } from '../base/http-server/listeners.ts';
import { runBeside } from '../base/running.ts';
import type { Host } from '../contracts/host.ts';
import { startTicker } from '../faces/cron/ticker.ts';
import { watchProvider, type ProviderWatchOptions } from '../faces/gateway/process/provider-watch.ts';
import type { ApiServer } from '../faces/serve/api/server.ts';
import { openHostApi, type HostApiOptions } from './api/open-host-api.ts';
import { createCronDeps } from './cron/open.ts';
import { openOperation } from './gateway/operation.ts';
import { readHomeAccounts } from './gateway/platforms.ts';
import type { AppHost } from './host/host.ts';
import { snapshotRegistries } from './tools/registries.ts';

export interface ServedHomeOptions extends Omit<HostApiOptions, 'program'>, Pick<ProviderWatchOptions, 'withModels'> {
  readonly host: AppHost & Host;
}

/**
 * All that `hermes serve` runs: the API, the jobs of the home, a look at the provider now and then, and figures. Results for chats
 * wait for the gateway, which is the one that sends.
 */
export async function openServedHome({ withModels, ...options }: ServedHomeOptions): Promise<ApiServer> {
  const { host, log } = options;
  const { env, home } = host;
  const { settings } = host.config;
  await using opened = new AsyncDisposableStack();
  const listeners = opened.use(
    createHttpListeners({ host: '127.0.0.1', port: settings['telemetry.metrics_port'], names: [], advice: 'Choose another port.', log }),
  );
  const api = opened.use(await openHostApi({ ...options, program: 'serve' }));
  const registered = snapshotRegistries(host.registries);
  const accounts = await readHomeAccounts(settings, env, { home, store: host.store, notice: log });
  const jobs = createCronDeps({ host, root: home.root, settings, env, registered, accounts: () => accounts, log });
  const served = runBeside(api, opened.use(startTicker({ ...jobs, kind: 'serve' })));
  const everyMs = settings['gateway.provider_check_minutes'] * 60_000;
  opened.use(watchProvider({ withModels, everyMs, now: Date.now, log }));
  opened.use(await openOperation({ host, gateway: () => ({ accounts: [], running: served.running }), listeners, log }));
  const closing = opened.move();
  return Object.defineProperty(served, Symbol.asyncDispose, { value: () => closing.disposeAsync() });
}
