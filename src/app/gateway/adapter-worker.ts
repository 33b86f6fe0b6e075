/** The entry of a worker: one adapter of one platform, and nothing else. */
import { serveAdapter } from '../../faces/gateway/link/worker/serve-adapter.ts';
import { PLATFORMS } from './platforms.ts';

void serveAdapter(async (platform) => {
  const load = PLATFORMS[platform];
  if (load === undefined) throw new Error(`There is no platform "${platform}".`);
  return load();
});
