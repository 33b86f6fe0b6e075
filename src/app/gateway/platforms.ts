import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../base/env.ts';
import type { PlatformKind } from '../../contracts/platform-adapter.ts';
import type { GatewayAccount } from '../../faces/gateway/accounts/account.ts';
import type { PluginStart } from '../../contracts/plugin-manifest.ts';
import type { Settings } from '../config/config.ts';
import type { PluginPlatform, PluginPlatformDeps } from '../plugins/plugin-platforms.ts';
import type { AdapterHandle } from '../../faces/gateway/link/contract.ts';
import type { WorkerAdapterOptions } from '../../faces/gateway/link/worker/open-worker-adapter.ts';

/** Every platform there is, loaded when it is asked for: a worker needs one of them, and most commands none. */
export const PLATFORMS: Readonly<Record<string, () => Promise<PlatformKind>>> = {
  telegram: async () => (await import('../../platforms/telegram/index.ts')).telegram,
  discord: async () => (await import('../../platforms/discord/index.ts')).discord,
  slack: async () => (await import('../../platforms/slack/index.ts')).slack,
  webhook: async () => (await import('../../platforms/webhook/index.ts')).webhook,
  email: async () => (await import('../../platforms/email/index.ts')).email,
};

/** Starts the adapter of a platform in a worker of its own. */
export async function openPlatformAdapter(options: Omit<WorkerAdapterOptions, 'file'>): Promise<AdapterHandle> {
  const { openWorkerAdapter } = await import('../../faces/gateway/link/worker/open-worker-adapter.ts');
  const { plugin, log } = options;
  // What an adapter of a plugin prints or logs is the plugin's word.
  const said = plugin === undefined ? log : await createVoice(plugin.manifest.name, log);
  return openWorkerAdapter({ ...options, log: said, file: findWorkerFile() });
}

const createVoice = async (plugin: string, log: WorkerAdapterOptions['log']): Promise<WorkerAdapterOptions['log']> =>
  (await import('../../plugins/words/plugin-words.ts')).createPluginVoice(plugin, log);

/** Beside this file in the sources; in a bundle it is an entry of its own, beside the bundle or above its chunks. */
function findWorkerFile(): string {
  const files = ['adapter-worker.ts', 'adapter-worker.cjs', '../adapter-worker.cjs', 'adapter-worker.js', '../adapter-worker.js'];
  const found = files.map((name) => join(import.meta.dirname, name)).find((path) => existsSync(path));
  if (found === undefined) throw new Error('The worker for chat platforms is not part of this build.');
  return found;
}

/** Every platform as the gateway knows it: ours, and those of enabled plugins where their consent can be looked up. */
export async function listPlatformKinds(plugins?: PluginPlatformDeps): Promise<readonly PlatformKind[]> {
  const own = await Promise.all(Object.values(PLATFORMS).map((load) => load()));
  const brought = plugins === undefined ? [] : await loadBrought(plugins);
  return [...own, ...brought.map(({ kind }) => kind)];
}

/** The plugin that brings a platform; nothing for one of ours. Its content is looked at again each time. */
export async function findPlatformPlugin(platform: string, plugins: PluginPlatformDeps): Promise<PluginStart | undefined> {
  return PLATFORMS[platform] === undefined ? (await loadBrought(plugins)).find(({ kind }) => kind.id === platform)?.start : undefined;
}

const loadBrought = async (plugins: PluginPlatformDeps): Promise<readonly PluginPlatform[]> =>
  (await import('../plugins/plugin-platforms.ts')).loadPluginPlatforms(Object.keys(PLATFORMS), plugins);

/** The accounts that are set up, whether or not a gateway runs. */
export async function readHomeAccounts(
  settings: Settings,
  env: Env,
  plugins?: Omit<PluginPlatformDeps, 'settings' | 'env'>,
): Promise<readonly GatewayAccount[]> {
  const { readAccounts } = await import('../../faces/gateway/accounts/accounts.ts');
  const kinds = await listPlatformKinds(plugins && { ...plugins, settings, env });
  return readAccounts(settings, env, kinds).accounts.filter(({ enabled }) => enabled);
}
