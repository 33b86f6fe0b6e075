import { join } from 'node:path';
import type { Env } from '../../base/env.ts';
import { makeFolder } from '../../base/folders.ts';
import type { Home } from '../../base/home.ts';
import { listInProcessKinds, type PluginManifest } from '../../contracts/plugin-manifest.ts';
import type { Registries } from '../../contracts/registries.ts';
import { openSafety } from '../../parts/safety/scan/open.ts';
import { findAgreedCopies, keepAgreedCopy } from '../../plugins/agreed-copy.ts';
import type { ConsentStore } from '../../plugins/consent.ts';
import type { LoadedPlugins } from '../../plugins/follow-plugins.ts';
import type { PluginPlaces } from '../../plugins/discover.ts';
import { repairFolders } from '../../plugins/install/staging.ts';
import { openInsidePlugin, type InsidePlugin } from '../../plugins/inside-plugin.ts';
import { judgeContent, loadEnabled, type EnabledPlugin } from '../../plugins/load-enabled.ts';
import { openPluginProcess, type PluginProcess } from '../../plugins/process/plugin-process.ts';
import type { SpawnPlugin } from '../../plugins/process/plugin-child.ts';
import { registerPlugin } from '../../plugins/register-plugin.ts';
import type { Settings } from '../config/config.ts';
import { findPluginPlaces } from '../../plugins/places.ts';
import { readPluginSettings } from '../../parts/config/plugin-settings.ts';
import { importInside } from '../../plugins/import-inside.ts';

export interface OpenPluginsDeps {
  readonly registries: Registries;
  readonly store: ConsentStore;
  readonly home: Home;
  readonly env: Env;
  readonly settings: Settings;
  notice(words: string): void;
}
/** Puts everything the owner enabled into the open lists. No plugin's code runs for it. */
export function openPlugins(deps: OpenPluginsDeps): LoadedPlugins {
  const running = new Map<string, { readonly hash: string; readonly stop: () => Promise<void> }>();
  const told = new Set<string>();
  const notice = (words: string): void => {
    if (!told.has(words)) deps.notice(words);
    told.add(words);
  };
  return {
    load: async () => {
      await repairFolders(join(deps.home.root, 'plugins'));
      const enabled = await loadEnabled(placesOf(deps), deps.store, notice);
      const wanted = new Map(enabled.map((plugin) => [plugin.name, plugin]));
      for (const [name, { hash, stop }] of running)
        if (wanted.get(name)?.consent.hash !== hash) {
          running.delete(name);
          await stop();
        }
      for (const plugin of enabled) {
        if (running.has(plugin.name)) continue;
        const stop = await startPlugin(plugin, { ...deps, notice });
        if (stop !== undefined) running.set(plugin.name, { hash: plugin.consent.hash, stop });
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...running.values()].map(({ stop }) => stop()));
      running.clear();
    },
  };
}

/** Where the plugins of a profile are looked for. */
export const placesOf = ({ home, settings }: Pick<OpenPluginsDeps, 'home' | 'settings'>): PluginPlaces =>
  findPluginPlaces({ home: home.root, cwd: settings['terminal.cwd'], trusted: settings['plugins.trusted_projects'] });

/** Gives how to take it back; nothing when its settings are wrong. */
async function startPlugin(plugin: EnabledPlugin, deps: OpenPluginsDeps): Promise<(() => Promise<void>) | undefined> {
  const { manifest } = plugin.consent;
  const reading = await readPluginSettings(manifest, deps.home.config, deps.env);
  if (!reading.ok) {
    deps.notice(`The plugin ${plugin.name} does not run: ${reading.why}`);
    return undefined;
  }
  for (const words of reading.notices) deps.notice(words);
  const process = openPlugin(plugin, reading.settings, deps);
  const added = registerPlugin(plugin, {
    registries: deps.registries,
    process,
    judge: (work) => openSafety(deps.home, deps.notice).judged(work),
    notice: deps.notice,
  });
  return async () => {
    added[Symbol.dispose]();
    await process[Symbol.asyncDispose]();
  };
}

/** What runs a plugin's code: nothing does before the first call. */
export function openPlugin(
  { name, consent }: EnabledPlugin,
  settings: Parameters<typeof openPluginProcess>[0]['settings'],
  deps: Pick<OpenPluginsDeps, 'home' | 'env' | 'settings' | 'notice'>,
): PluginProcess | InsidePlugin {
  const { manifest, path } = consent;
  const { home, env, notice } = deps;
  const data = join(home.root, 'plugin-data', name);
  const secrets = readSecrets(manifest, env);
  const copies = findAgreedCopies(home.root);
  const refuse = (why: string): Error => new Error(`${why} since you enabled it; type: hermes plugins enable ${name}`);
  const check = (): void => {
    const verdict = judgeContent(path, consent);
    if (verdict.type === 'changed') throw refuse(verdict.why);
  };
  if (listInProcessKinds(manifest).length > 0) {
    const load = async (): Promise<unknown> => (check(), makeFolder(data), importInside({ ...consent, copies }));
    const options = { manifest, settings, secrets, dataFolder: data, notice };
    // The host and the screen use the same one: `setup` is called once.
    return keptInside(JSON.stringify([path, consent.hash, settings]), () => openInsidePlugin(load, options));
  }
  const spawn: SpawnPlugin = async (stop) => {
    check();
    const { createSpawn } = await import('./spawn-plugin.ts');
    const folder = keepAgreedCopy(path, consent.hash, copies);
    if (folder === undefined) throw refuse('its files changed');
    const maxDataBytes = deps.settings['plugins.data_mb'] * 1e6;
    return createSpawn({ folder, data, maxDataBytes, manifest, home: home.root, env, notice, routes: () => openPluginRoutes(deps) })(stop);
  };
  return openPluginProcess({ manifest, settings, secrets, spawn, notice });
}

const inside = new Map<string, InsidePlugin>();
function keptInside(key: string, open: () => InsidePlugin): InsidePlugin {
  const kept = inside.get(key) ?? open();
  inside.set(key, kept);
  return kept;
}

/** A star is for what the whole world can reach. */
const LIST_BY_NAME = 'Its plugin can list it by its whole name, under capabilities.network in plugin.yaml.';
const openPluginRoutes = async ({ home, env, settings, notice }: Pick<OpenPluginsDeps, 'home' | 'env' | 'settings' | 'notice'>) =>
  (await import('../../parts/safety/urls/routes.ts')).openRoutes({ settings, home: home.root, env, notice, advice: LIST_BY_NAME });

export const readSecrets = ({ capabilities }: PluginManifest, env: Env): Readonly<Record<string, string>> =>
  Object.fromEntries(capabilities.secrets.flatMap((name) => (env[name] === undefined || env[name] === '' ? [] : [[name, env[name]]])));
