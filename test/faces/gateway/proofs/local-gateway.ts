import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../../src/app/config/config.ts';
import { openHomeGateway } from '../../../../src/app/gateway/open.ts';
import { PLATFORMS } from '../../../../src/app/gateway/platforms.ts';
import { openHost } from '../../../../src/app/open-host.ts';
import { createApprovalService } from '../../../../src/app/services/approvals.ts';
import { snapshotRegistries } from '../../../../src/app/tools/registries.ts';
import { resolveHome } from '../../../../src/base/home.ts';
import type { JsonObject } from '../../../../src/base/json-types.ts';
import type { Host } from '../../../../src/contracts/host.ts';
import { readAccounts } from '../../../../src/faces/gateway/accounts/accounts.ts';
import type { GatewayAccount } from '../../../../src/faces/gateway/accounts/account.ts';
import type { Gateway, GatewayOptions } from '../../../../src/faces/gateway/runner/contract.ts';
import { openBlobs } from '../../../../src/parts/store/blobs.ts';
import { scriptedProvider, type Script } from '../../../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../../../src/testing/scripted-route.ts';
import { openInProcess } from '../in-process.ts';
import type { ChatStage } from '../stages/contract.ts';

/** A gateway in this process, with the clock, rates and times of a test. */
export interface LocalGateway extends AsyncDisposable {
  readonly root: string;
  readonly host: Host;
  readonly gateway: Gateway;
  readonly log: readonly string[];
  /** How often the model was asked. */
  calls(): number;
}
export interface LocalGatewayOptions {
  readonly stages: readonly ChatStage[];
  readonly script: Script;
  readonly config?: JsonObject;
  /** An account with what the test changes of it. */
  readonly change?: (account: GatewayAccount) => GatewayAccount;
  readonly overrides?: Partial<GatewayOptions>;
}

export async function openLocalGateway(options: LocalGatewayOptions): Promise<LocalGateway> {
  const { stages, script, config = {}, change = (account) => account, overrides } = options;
  const root = mkdtempSync(join(tmpdir(), 'hermes-gateway-local-'));
  const platforms = Object.fromEntries(stages.map((stage) => [stage.platform, stage.settings]));
  // JSON is YAML.
  writeFileSync(join(root, 'config.yaml'), JSON.stringify({ platforms, ...config }));
  const env = { HERMES_HOME: root };
  const home = resolveHome(env);
  const host = await openHost({ env, home });
  const { settings } = await loadConfig(home.config, env, () => {});
  const kinds = await Promise.all(Object.values(PLATFORMS).map((load) => load()));
  const log: string[] = [];
  const model = scriptedProvider(script);
  const accounts = readAccounts(settings, env, kinds).accounts.filter(({ enabled }) => enabled);
  const gateway = await openHomeGateway({
    host,
    root,
    settings,
    env,
    accounts: accounts.map(change),
    openAdapter: ({ kind, settings: account }) => openInProcess(kind, account, (words) => log.push(words)),
    approvals: await createApprovalService(
      { processEnv: env, notice: () => {}, registered: snapshotRegistries(host.registries) },
      async () => host.store,
    ),
    blobs: openBlobs(join(root, 'blobs')),
    owner: 'test',
    log: (words) => log.push(words),
    session: { provider: scriptedRoute(model), mcp: false },
    ...(overrides !== undefined && { overrides }),
  });
  return {
    root,
    host,
    gateway,
    log,
    calls: () => model.requests.length,
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
