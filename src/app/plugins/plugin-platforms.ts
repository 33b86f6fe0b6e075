import { join } from 'node:path';
import { toErrorMessage } from '../../base/errors.ts';
import type { Env } from '../../base/env.ts';
import type { Home } from '../../base/home.ts';
import type { PlatformKind } from '../../contracts/platform-adapter.ts';
import type { PluginStart } from '../../contracts/plugin-manifest.ts';
import { readPluginSettings } from '../../parts/config/plugin-settings.ts';
import { findAgreedCopies } from '../../plugins/agreed-copy.ts';
import type { ConsentStore } from '../../plugins/consent.ts';
import { hasPlugins } from '../../plugins/index-file.ts';
import { loadEnabled } from '../../plugins/load-enabled.ts';
import { guardPlatform } from '../../plugins/wrap/platforms.ts';
import type { Settings } from '../config/config.ts';

export interface PluginPlatformDeps {
  readonly home: Home;
  readonly env: Env;
  readonly settings: Settings;
  readonly store: ConsentStore;
  notice(words: string): void;
}
/** A platform that a plugin brings, and how a worker comes by the same one. */
export interface PluginPlatform {
  readonly kind: PlatformKind;
  readonly start: PluginStart;
}

/** The platforms of enabled plugins. One whose plugin does not work, or whose name is taken, is told and left out. */
export async function loadPluginPlatforms(taken: readonly string[], deps: PluginPlatformDeps): Promise<readonly PluginPlatform[]> {
  const { home, env, settings, store, notice } = deps;
  if (!hasPlugins(home.root)) return [];
  const { openPlugin, placesOf, readSecrets } = await import('./open-plugins.ts');
  const found = new Map<string, PluginPlatform>();
  for (const plugin of await loadEnabled(placesOf({ home, settings }), store, notice)) {
    const { manifest, path, hash } = plugin.consent;
    if (manifest.platforms.length === 0) continue;
    const reading = await readPluginSettings(manifest, home.config, env);
    if (!reading.ok) {
      notice(`The plugin ${plugin.name} does not run: ${reading.why}`);
      continue;
    }
    const opened = openPlugin(plugin, reading.settings, { home, env, settings, notice });
    if (!('additions' in opened)) continue;
    const start: PluginStart = {
      path,
      hash,
      copies: findAgreedCopies(home.root),
      manifest,
      settings: reading.settings,
      secrets: readSecrets(manifest, env),
      dataFolder: join(home.root, 'plugin-data', plugin.name),
    };
    try {
      for (const [id, kind] of (await opened.additions()).platforms) {
        if (taken.includes(id) || found.has(id))
          notice(
            `The plugin ${plugin.name} brings the platform ${id}, but there is one of that name already, so the plugin's is left out.`,
          );
        else found.set(id, { kind: guardPlatform(kind, plugin.name, notice), start });
      }
    } catch (error) {
      notice(`The plugin ${plugin.name} does not work: ${toErrorMessage(error)}`);
    }
  }
  return [...found.values()];
}
