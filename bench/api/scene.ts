import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openHost } from '../../src/app/open-host.ts';
import { openJobService } from '../../src/app/services/jobs.ts';
import { createApprovalService } from '../../src/app/services/approvals.ts';
import { snapshotRegistries } from '../../src/app/tools/registries.ts';
import { resolveHome } from '../../src/base/home.ts';
import { openHomeApi } from '../../src/faces/serve/api/open-home.ts';
import { loadConfig } from '../../src/app/config/config.ts';
import type { ApiServer } from '../../src/faces/serve/api/server.ts';
import { scriptedProvider } from '../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../src/testing/scripted-route.ts';

export const KEY = 'a-key-for-the-bench-0123456789';
export const MAX_STREAMS = 200;
/** What one stream of the model says, and how fast. */
export const STREAM = { deltas: 40, paceMs: 50 };

/** The whole API over a real store, with a model that takes no time, or talks at a pace when it is asked to stream. */
export async function openApiBench(root: string, durability: 'power' | 'process'): Promise<ApiServer> {
  mkdirSync(root, { recursive: true });
  const api = { port: 0, max_concurrent_runs: 2 * MAX_STREAMS };
  // JSON is YAML.
  writeFileSync(join(root, 'config.yaml'), JSON.stringify({ database: { durability }, gateway: { api_server: api } }));
  const env = { HERMES_HOME: root, API_SERVER_KEY: KEY };
  const home = resolveHome(env);
  const host = await openHost({ env, home, maxOpenSessions: 2 * MAX_STREAMS });
  const { settings } = await loadConfig(home.config, env, () => {});
  const model = scriptedProvider(({ messages }) => {
    const isSlow = JSON.stringify(messages.at(-1)?.message).includes('slowly');
    return isSlow ? { text: 'word '.repeat(STREAM.deltas), chunk: 5, paceMs: STREAM.paceMs } : { text: 'Fine, thank you.' };
  });
  const registered = snapshotRegistries(host.registries);
  const server = await openHomeApi({
    host,
    root,
    settings,
    env,
    program: 'serve',
    approvals: await createApprovalService({ processEnv: env, notice: () => {}, registered }, async () => host.store),
    jobs: await openJobService({ processEnv: env, notice: () => {}, registered }, host.store, undefined),
    loadImage: () => Promise.reject(new Error('no pictures here')),
    log: (words) => console.error(words),
    overrides: { session: { provider: scriptedRoute(model), mcp: false } },
  });
  return {
    ...server,
    port: server.port,
    running: 0,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
    },
  };
}
