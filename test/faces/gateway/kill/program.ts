/**
 * A gateway of the home that the environment names, with store, model and platform over real files and sockets. Adapters run in
 * this thread, where their requests can be counted (`points.ts`). Says `ready` and runs until it is told to stop.
 */
import { join } from 'node:path';
import { loadConfig } from '../../../../src/app/config/config.ts';
import { createPost, createRecords } from '../../../../src/app/gateway/adapter-offers.ts';
import { openHomeGateway } from '../../../../src/app/gateway/open.ts';
import { PLATFORMS } from '../../../../src/app/gateway/platforms.ts';
import { openHost } from '../../../../src/app/open-host.ts';
import { createApprovalService } from '../../../../src/app/services/approvals.ts';
import { snapshotRegistries } from '../../../../src/app/tools/registries.ts';
import { resolveHome } from '../../../../src/base/home.ts';
import { createHttpListeners } from '../../../../src/base/http-server/listeners.ts';
import { readAccounts } from '../../../../src/faces/gateway/accounts/accounts.ts';
import { listenThrough } from '../../../../src/faces/gateway/inbound-routes.ts';
import { openInProcess } from '../in-process.ts';
import { openBlobs } from '../../../../src/parts/store/blobs.ts';

const { env } = process;
const home = resolveHome(env);
const log = (words: string): void => console.error(words);
const host = await openHost({ env, home });
const { settings } = await loadConfig(home.config, env, () => {});
const kinds = await Promise.all(Object.values(PLATFORMS).map((load) => load()));
const { accounts } = readAccounts(settings, env, kinds);
const listeners = createHttpListeners({ host: '127.0.0.1', port: 0, names: [], advice: '', log });
const post = createPost({ settings, root: home.root, env, log });
const gateway = await openHomeGateway({
  host,
  root: home.root,
  settings,
  env,
  accounts: accounts.filter(({ enabled }) => enabled),
  openAdapter: async (account) => {
    const offers = { listen: listenThrough(listeners), folder: home.root, records: createRecords(account, host.store.gateway), post };
    return openInProcess(account.kind, account.settings, log, offers);
  },
  approvals: await createApprovalService(
    { processEnv: env, notice: () => {}, registered: snapshotRegistries(host.registries) },
    async () => host.store,
  ),
  blobs: openBlobs(join(home.root, 'blobs')),
  owner: `gateway-${process.pid}`,
  log,
});
process.once('SIGTERM', () => {
  void gateway[Symbol.asyncDispose]()
    .then(() => listeners[Symbol.asyncDispose]())
    .then(() => host[Symbol.asyncDispose]())
    .then(() => process.exit(0));
});
console.log('ready');
