import { resolveHome, type Home } from '../../base/home.ts';
import { describeMemoryWrite } from '../../contracts/hook-inputs.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { lazy } from '../../base/lazy.ts';
import { waitAtMost } from '../../base/waits.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { MemoryService } from '../../contracts/services/owner.ts';
import { changeMemory } from '../../parts/memory/change-memory.ts';
import { openMemoryProvider } from '../../parts/memory/open-provider.ts';
import { readMemory } from '../../parts/memory/read-memory.ts';
import { openMemoryTeller, WRITES } from '../../parts/memory/teller.ts';
import { findWritesEnd, readWrites } from '../../parts/memory/writes.ts';
import { resolveMemoryFolder, resolveMemoryStore, TARGETS, type MemoryPlace } from '../../parts/memory/stores.ts';
import { loadConfig } from '../config/config.ts';
import { openSafety } from '../../parts/safety/scan/open.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { findWanted, toProviderOptions } from '../host/memory.ts';
import { makeHome } from '../host/store.ts';

export function createMemoryService(options: ServiceOptions, store: () => Promise<SessionStore>): MemoryService {
  const home = resolveHome(options.processEnv);
  const place = lazy(() => placeOf(home, options));
  return {
    folder: resolveMemoryFolder(home.root),
    targets: TARGETS,
    read: async () => readMemory(await place()),
    change: async (target, operation) => {
      const where = await place();
      await using mirror = await openMirror(home, options, store);
      const result = await changeMemory(where, target, [operation], {});
      if (result.ok) await mirror?.tell();
      if (!result.ok) return { ok: false, words: result.words };
      options.tellHooks?.({ name: 'memory_write', input: describeMemoryWrite(operation, target, 'owner') });
      const { enabled, setting } = resolveMemoryStore(target, where);
      return { ok: true, effects: result.effects, used: result.used, limit: result.limit, enabled, setting };
    },
  };
}

/** How long the owner waits for a mirror; what it did not hear by then it is told later. */
const MIRROR_MS = 3_000;

/** Who is to hear of a change by the owner's own hand; followed before the change is made, so that it cannot be missed. */
async function openMirror(
  home: Home,
  { processEnv, notice, registered }: ServiceOptions,
  openStore: () => Promise<SessionStore>,
): Promise<({ tell(): Promise<void> } & AsyncDisposable) | undefined> {
  const env = mergeEnvironment(home.env, processEnv);
  const config = await loadConfig(home.config, env, () => {}, registered);
  const wanted = findWanted({ config, registered });
  if (wanted?.registration === undefined) return undefined;
  const store = await openStore();
  const parts = { home, env, config, log: store, notice };
  const opening = await openMemoryProvider(wanted.name, registered.memoryProviders, toProviderOptions(parts));
  const close = async (): Promise<void> => opening.provider?.close?.();
  if (!opening.ok || opening.provider.wrote === undefined) {
    await close();
    return undefined;
  }
  const { provider } = opening;
  const place = { home: home.root, settings: config.settings };
  await store.memory.follow({ provider: provider.name, subject: WRITES, from: findWritesEnd(home.root) });
  const teller = openMemoryTeller({
    provider,
    store,
    notice,
    onlyWrites: true,
    readWrites: (from, signal) => readWrites(place, from, signal),
    now: Date.now,
  });
  return {
    tell: async () => {
      teller.wake();
      await waitAtMost(teller.idle(), MIRROR_MS);
    },
    [Symbol.asyncDispose]: async () => {
      await teller[Symbol.asyncDispose]();
      await close();
    },
  };
}

async function placeOf(home: Home, { processEnv, notice, registered }: ServiceOptions): Promise<MemoryPlace> {
  makeHome(home);
  const { settings } = await loadConfig(home.config, mergeEnvironment(home.env, processEnv), notice, registered);
  const safety = openSafety(home, notice);
  return { home: home.root, settings, scan: await safety.scan(), admit: await safety.admit() };
}
