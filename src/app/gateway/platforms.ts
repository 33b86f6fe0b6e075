import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PlatformKind } from '../../contracts/platform-adapter.ts';
import type { AdapterHandle } from '../../faces/gateway/link/contract.ts';
import type { WorkerAdapterOptions } from '../../faces/gateway/link/worker/open-worker-adapter.ts';

/** Every platform there is, loaded when it is asked for: a worker needs one of them, and most commands none. */
export const PLATFORMS: Readonly<Record<string, () => Promise<PlatformKind>>> = {
  telegram: async () => (await import('../../platforms/telegram/index.ts')).telegram,
  discord: async () => (await import('../../platforms/discord/index.ts')).discord,
  slack: async () => (await import('../../platforms/slack/index.ts')).slack,
};

/** Starts the adapter of a platform in a worker of its own. */
export async function openPlatformAdapter(options: Omit<WorkerAdapterOptions, 'file'>): Promise<AdapterHandle> {
  const { openWorkerAdapter } = await import('../../faces/gateway/link/worker/open-worker-adapter.ts');
  return openWorkerAdapter({ ...options, file: findWorkerFile() });
}

/** Beside this file in the sources; in a bundle it is an entry of its own, beside the bundle or above its chunks. */
function findWorkerFile(): string {
  const files = ['adapter-worker.ts', 'adapter-worker.cjs', '../adapter-worker.cjs', 'adapter-worker.js', '../adapter-worker.js'];
  const found = files.map((name) => join(import.meta.dirname, name)).find((path) => existsSync(path));
  if (found === undefined) throw new Error('The worker for chat platforms is not part of this build.');
  return found;
}
