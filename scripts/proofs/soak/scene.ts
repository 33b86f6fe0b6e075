import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BENCH_ENV, openGatewayOn, promptModel, type GatewayBench } from '../../../bench/gateway/scene.ts';
import { loadConfig } from '../../../src/app/config/config.ts';
import { openHost } from '../../../src/app/open-host.ts';
import { openJobService } from '../../../src/app/services/jobs.ts';
import { createApprovalService } from '../../../src/app/services/approvals.ts';
import { snapshotRegistries } from '../../../src/app/tools/registries.ts';
import { resolveHome } from '../../../src/base/home.ts';
import { openHomeApi } from '../../../src/faces/serve/api/open-home.ts';
import type { ApiServer } from '../../../src/faces/serve/api/server.ts';
import { scriptedRoute } from '../../../src/testing/scripted-route.ts';

export const SOAK_KEY = 'a-key-for-the-soak-0123456789';

/** A gateway and the API of one home in one process, with a model that takes no time. */
export interface SoakScene extends AsyncDisposable {
  readonly gateway: GatewayBench;
  readonly api: ApiServer;
  /** What a process that serves does every ten minutes. */
  tend(): Promise<void>;
}

export async function openSoak(): Promise<SoakScene> {
  const root = mkdtempSync(join(tmpdir(), 'hermes-soak-'));
  // Memory is measured, not the disk. JSON is YAML.
  const settings = { database: { durability: 'process' }, gateway: { api_server: { port: 0, max_concurrent_runs: 200 } } };
  writeFileSync(join(root, 'config.yaml'), JSON.stringify(settings));
  const env = { HERMES_HOME: root, API_SERVER_KEY: SOAK_KEY, ...BENCH_ENV };
  const home = resolveHome(env);
  const host = await openHost({ env, home });
  const gateway = await openGatewayOn(host, env);
  const service = { processEnv: env, notice: () => {}, registered: snapshotRegistries(host.registries) };
  const api = await openHomeApi({
    host,
    root,
    settings: (await loadConfig(home.config, env, () => {})).settings,
    env,
    program: 'gateway',
    approvals: await createApprovalService(service, async () => host.store),
    jobs: await openJobService(service, host.store, undefined),
    loadImage: () => Promise.reject(new Error('no pictures here')),
    log: (words) => console.error(words),
    overrides: { session: { provider: scriptedRoute(promptModel()), mcp: false } },
  });
  return {
    gateway,
    api,
    tend: async () => {
      while ((await host.store.care?.tend()) === true);
    },
    [Symbol.asyncDispose]: async () => {
      await api[Symbol.asyncDispose]();
      await gateway[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
