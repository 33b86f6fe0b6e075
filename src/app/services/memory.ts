import { resolveHome, type Home } from '../../base/home.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { lazy } from '../../base/lazy.ts';
import type { MemoryService } from '../../contracts/services/owner.ts';
import { changeMemory } from '../../parts/memory/change-memory.ts';
import { readMemory } from '../../parts/memory/read-memory.ts';
import { resolveMemoryFolder, resolveMemoryStore, TARGETS, type MemoryPlace } from '../../parts/memory/stores.ts';
import { loadConfig } from '../config/config.ts';
import { openSafety } from '../../parts/safety/scan/open.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { makeHome } from '../host/store.ts';

export function createMemoryService(options: ServiceOptions): MemoryService {
  const home = resolveHome(options.processEnv);
  const place = lazy(() => placeOf(home, options));
  return {
    folder: resolveMemoryFolder(home.root),
    targets: TARGETS,
    read: async () => readMemory(await place()),
    change: async (target, operation) => {
      const where = await place();
      const result = await changeMemory(where, target, [operation], {});
      if (!result.ok) return { ok: false, words: result.words };
      const { enabled, setting } = resolveMemoryStore(target, where);
      return { ok: true, effects: result.effects, used: result.used, limit: result.limit, enabled, setting };
    },
  };
}

async function placeOf(home: Home, { processEnv, notice, registered }: ServiceOptions): Promise<MemoryPlace> {
  makeHome(home);
  const { settings } = await loadConfig(home.config, mergeEnvironment(home.env, processEnv), notice, registered);
  const safety = openSafety(home, notice);
  return { home: home.root, settings, scan: await safety.scan(), admit: await safety.admit() };
}
