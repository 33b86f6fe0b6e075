import { resolveHome } from '../../base/home.ts';
import { UsageError } from '../../base/errors.ts';
import type { Env } from '../../base/env.ts';
import type { TerminalExtension } from '../../contracts/terminal-extension.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { openHomeStore } from '../../parts/store/home-store.ts';
import type { InsidePlugin } from '../../plugins/inside-plugin.ts';
import { hasWidgets } from '../../plugins/shell-index.ts';
import { loadEnabled } from '../../plugins/load-enabled.ts';
import type { PluginProcess } from '../../plugins/process/plugin-process.ts';
import { loadConfig } from '../config/config.ts';
import { openPlugin, placesOf } from './open-plugins.ts';
import { readPluginSettings } from '../../parts/config/plugin-settings.ts';

/** The plugin of this name, to be closed by whoever asked. */
export async function openEnabledPlugin(name: string, processEnv: Env, notice: (words: string) => void): Promise<PluginProcess> {
  const [found] = await openEnabled(processEnv, notice, (plugin) => plugin === name);
  if (found === undefined) throw new UsageError(`the plugin ${name} does not run. To see why: hermes plugins doctor ${name}`);
  return found;
}

/** What enabled plugins add to the terminal UI. One that cannot be loaded is told and left out. */
export async function loadWidgets(processEnv: Env, notice: (words: string) => void): Promise<readonly TerminalExtension[]> {
  if (!hasWidgets(resolveHome(processEnv).root)) return [];
  const plugins = await openEnabled(processEnv, notice, (_name, widgets) => widgets);
  const found = await Promise.all(
    plugins.map(async (plugin) => ('additions' in plugin ? plugin.additions().catch(() => undefined) : undefined)),
  );
  return found.flatMap((additions) => (additions === undefined ? [] : [...additions.widgets.values()]));
}

async function openEnabled(
  processEnv: Env,
  notice: (words: string) => void,
  wanted: (name: string, widgets: boolean) => boolean,
): Promise<readonly (PluginProcess | InsidePlugin)[]> {
  const home = resolveHome(processEnv);
  const env = mergeEnvironment(home.env, processEnv);
  const { settings } = await loadConfig(home.config, env, () => {});
  await using store = await openHomeStore(home);
  const found: (PluginProcess | InsidePlugin)[] = [];
  for (const plugin of await loadEnabled(placesOf({ home, settings }), store, notice)) {
    const { manifest } = plugin.consent;
    if (!wanted(plugin.name, manifest.widgets)) continue;
    const reading = await readPluginSettings(manifest, home.config, env);
    if (reading.ok) found.push(openPlugin(plugin, reading.settings, { home, env, settings, notice }));
    else notice(`The plugin ${plugin.name} does not run: ${reading.why}`);
  }
  return found;
}
