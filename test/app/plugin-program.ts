/** Stands for Hermes: starts a plugin, calls its tool once and goes on until it is killed. */
import type { PluginSpawnDeps } from '../../src/app/plugins/plugin-launch.ts';
import { createSpawn } from '../../src/app/plugins/spawn-plugin.ts';
import { openPluginProcess } from '../../src/plugins/process/plugin-process.ts';

export type ProgramOptions = Pick<PluginSpawnDeps, 'folder' | 'data' | 'tools' | 'manifest' | 'home'>;

const [, , given] = process.argv;
if (process.send !== undefined && given !== undefined) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as plugin-isolation.test.ts writes it
  const { code, ...options } = JSON.parse(given) as ProgramOptions & { readonly code: string };
  const routes = () => Promise.reject(new Error('no network'));
  const spawn = createSpawn({ ...options, maxDataBytes: 1e9, env: {}, routes, notice: () => {} });
  const plugin = openPluginProcess({ manifest: options.manifest, settings: {}, secrets: {}, spawn, notice: () => {} });
  process.send(await plugin.call({ method: 'tool', params: { name: 'run', input: { code } } }, { timeoutMs: 20_000 }));
}
