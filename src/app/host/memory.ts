import { systemClock } from '../../base/clock.ts';
import { lazy } from '../../base/lazy.ts';
import { toProfileName } from '../../base/profile.ts';
import type { MemoryProviderOptions, MemoryProviderRegistration, MemoryScene } from '../../contracts/memory-provider.ts';
import { CRON_PLATFORM } from '../../contracts/platform.ts';
import type { RegistrySnapshot } from '../../contracts/registries.ts';
import type { HostMemory } from '../../parts/memory/host-memory.ts';
import { openMemoryProvider, resolveProviderName, type ProviderList } from '../../parts/memory/open-provider.ts';
import { createSessionMemory, type SessionMemory } from '../../parts/memory/session-memory.ts';
import { openReach } from '../../parts/safety/urls/reach.ts';
import type { HomeParts, SessionPlan, SharedParts } from '../tools/home-parts.ts';

type MemoryProviderParts = Pick<HomeParts, 'home' | 'env' | 'config' | 'log' | 'notice'> &
  Pick<MemoryProviderOptions, 'complete' | 'embed'>;

/** What a provider stands on. */
export const toProviderOptions = ({ home, env, config, log, notice, complete, embed }: MemoryProviderParts): MemoryProviderOptions => ({
  log,
  home,
  settings: config.settings,
  env,
  network: openReach({ settings: config.settings, home: home.root, env, notice }),
  reachOwnServer: (server) => openReach({ settings: config.settings, home: home.root, owned: [server], env, notice }),
  notice,
  ...(complete !== undefined && { complete }),
  ...(embed !== undefined && { embed }),
});

/** A provider as the settings name it, and what stands under that name. */
interface WantedProvider {
  readonly name: string;
  readonly registration: MemoryProviderRegistration | undefined;
}

/** The provider the settings name; nothing when they name none. */
export function findWanted({
  config,
  registered,
}: Pick<HomeParts, 'config'> & { readonly registered: RegistrySnapshot }): WantedProvider | undefined {
  const name = resolveProviderName(config.settings['memory.provider']);
  return name === '' ? undefined : { name, registration: registered.memoryProviders.get(name) };
}

/** What the memory of a host stands on. */
export interface HostMemoryParts extends MemoryProviderParts, Pick<SharedParts, 'store' | 'safety' | 'registered'> {
  readonly redactAll: <Value>(value: Value) => Value;
  /** Those that stand in the registry at this moment. */
  readonly providers: () => ProviderList;
}

/** The memory of a host, loaded for homes that have a provider. */
export async function openHomeMemory(parts: HostMemoryParts): Promise<HostMemory | undefined> {
  if (findWanted(parts) === undefined) return undefined;
  const [{ openHostMemory }, { findWritesEnd, readWrites }] = await Promise.all([
    import('../../parts/memory/host-memory.ts'),
    import('../../parts/memory/writes.ts'),
  ]);
  const { home, config, store, safety, notice, redactAll } = parts;
  const { settings } = config;
  const place = { home: home.root, settings };
  return openHostMemory({
    providers: parts.providers,
    open: (name, providers) => openMemoryProvider(name, providers, toProviderOptions(parts)),
    store,
    log: store,
    readWrites: async (from, signal) => redactAll(await readWrites(place, from, signal)),
    writesEnd: () => findWritesEnd(home.root),
    admit: lazy(() => safety.admit()),
    notice,
    now: () => systemClock.now(),
    guests: settings['memory.guests'],
  });
}

/** The memory as this session has it; nothing where it is to have none. */
export async function attachMemory(shared: SharedParts, plan: SessionPlan): Promise<SessionMemory | undefined> {
  const wanted = shared.memory && findWanted(shared);
  const { memory, person, prompt, notice, parent } = plan;
  // Words for nobody's prompt; and a session that must not know its owner, unless it says whose it is.
  if (shared.memory === undefined || wanted === undefined || prompt === false || (memory === false && person === undefined))
    return undefined;
  return shared.memory.attach({
    scene: toScene(plan, shared),
    isShared: memory === false,
    wanted: wanted.name,
    notice,
    ...(parent !== undefined && { parent }),
  });
}

function toScene({ platform, sessionId, person = { isOwner: true }, child, parent }: SessionPlan, { home }: SharedParts): MemoryScene {
  const role = child !== undefined ? 'subagent' : platform === CRON_PLATFORM ? 'cron' : 'primary';
  return {
    ...person,
    sessionId,
    platform,
    home: home.root,
    profile: toProfileName(home.root),
    role,
    ...(parent !== undefined && { parentSessionId: parent.sessionId }),
  };
}

/** The memory as a preview shows it: its words and its tools. It begins no session, and is closed again. */
export async function previewMemory(parts: HomeParts, platform: string): Promise<(SessionMemory & AsyncDisposable) | undefined> {
  const wanted = findWanted(parts);
  if (wanted === undefined) return undefined;
  const opening = await openMemoryProvider(wanted.name, parts.registered.memoryProviders, toProviderOptions(parts));
  const close = async (): Promise<void> => opening.provider?.close?.();
  if (!opening.ok) {
    parts.notice(`No memory provider is used: ${opening.why}`);
    await close();
    return undefined;
  }
  const scope = { sessionId: 'preview', platform, isOwner: true };
  const memory = createSessionMemory({
    ...opening,
    scope,
    role: 'primary',
    isOpen: () => true,
    notice: parts.notice,
    admit: () => parts.safety.admit(),
  });
  return { ...memory, [Symbol.asyncDispose]: close };
}
