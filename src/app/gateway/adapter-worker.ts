/** The entry of a worker: one adapter of one platform, and nothing else. */
import type { AdapterOptions, PlatformKind } from '../../contracts/platform-adapter.ts';
import type { PluginStart } from '../../contracts/plugin-manifest.ts';
import { serveAdapter } from '../../faces/gateway/link/worker/serve-adapter.ts';
import { PLATFORMS } from './platforms.ts';

void serveAdapter(async ({ platform, plugin }, log) => {
  const load = PLATFORMS[platform];
  if (load !== undefined) return load();
  const found = plugin === undefined ? undefined : await loadFromPlugin(platform, plugin, log);
  if (found === undefined) throw new Error(`There is no platform "${platform}".`);
  return found;
});

/** Its `setup` runs once more, in this thread. */
async function loadFromPlugin(platform: string, start: PluginStart, log: AdapterOptions['log']): Promise<PlatformKind | undefined> {
  const [{ importInside }, { setUpPlugin }] = await Promise.all([
    import('../../plugins/import-inside.ts'),
    import('../../plugins/shelves.ts'),
  ]);
  const { platforms } = await setUpPlugin(await importInside(start), { ...start, notice: log, inside: true });
  return platforms.get(platform);
}
