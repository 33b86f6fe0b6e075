import { createRegistry } from '../../base/registry.ts';
import type { RegistrySnapshot, Registries } from '../../contracts/registries.ts';
import type { SettingField } from '../../contracts/settings.ts';
import type { Toolset } from '../../contracts/tool.ts';
import { ENGINES } from '../../parts/context/open.ts';
import { MEMORY_PROVIDERS } from '../../parts/memory/open-provider.ts';
import { PLATFORMS } from '../../parts/prompt/slots/platforms/all.ts';
import { PROFILES } from '../../parts/providers/catalog/all.ts';
import { BACKENDS } from '../../parts/terminals/backends.ts';
import { FAR_BACKENDS } from '../../parts/terminals/far-backends.ts';
import { createBuiltinEntries, TOOLSETS, withJoined } from '../../parts/tools/toolsets.ts';
import { SETTINGS } from '../config/config.ts';

/** The open lists of one host, with all we bring along in them. */
export const createRegistries = (): Registries => ({
  tools: createRegistry(createBuiltinEntries()),
  toolsets: createRegistry(Object.fromEntries(TOOLSETS.map((set) => [set.name, set]))),
  settings: createRegistry<SettingField>(SETTINGS),
  providers: createRegistry(Object.fromEntries(PROFILES.map((profile) => [profile.id, profile]))),
  terminals: createRegistry({ ...BACKENDS, ...FAR_BACKENDS }),
  engines: createRegistry(ENGINES),
  memoryProviders: createRegistry(MEMORY_PROVIDERS),
  platforms: createRegistry(PLATFORMS),
  commands: createRegistry(),
  hooks: createRegistry(),
  slots: createRegistry(),
  skillFolders: createRegistry(),
});

/** What stands in them now. */
export const snapshotRegistries = (registries: Registries): RegistrySnapshot => ({
  tools: registries.tools.entries(),
  toolsets: registries.toolsets.entries(),
  settings: registries.settings.entries(),
  providers: registries.providers.entries(),
  terminals: registries.terminals.entries(),
  engines: registries.engines.entries(),
  memoryProviders: registries.memoryProviders.entries(),
  platforms: registries.platforms.entries(),
  commands: registries.commands.entries(),
  hooks: registries.hooks.entries(),
  slots: registries.slots.entries(),
  skillFolders: registries.skillFolders.entries(),
});

const KINDS = [
  'tools',
  'toolsets',
  'settings',
  'providers',
  'terminals',
  'engines',
  'memoryProviders',
  'platforms',
  'commands',
  'hooks',
  'slots',
  'skillFolders',
] as const;

/** Whether nothing of these kinds was added or taken back between the two. */
export const isSameSnapshot = (
  one: RegistrySnapshot,
  other: RegistrySnapshot,
  kinds: readonly (keyof RegistrySnapshot)[] = KINDS,
): boolean => kinds.every((kind) => one[kind] === other[kind]);

/** What a host says about which tools a session has. */
export const collectToolChoice = (registered: RegistrySnapshot, platform: string) => ({
  sets: collectSets(registered),
  usual: registered.platforms.get(platform)?.toolsets,
});

/** The same for every session that finds the same registries. */
const collected = new WeakMap<RegistrySnapshot, readonly Toolset[]>();
function collectSets(registered: RegistrySnapshot): readonly Toolset[] {
  const sets = collected.get(registered) ?? withJoined(registered.toolsets.values(), registered.tools);
  collected.set(registered, sets);
  return sets;
}
