import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Env } from '../../base/env.ts';
import { UsageError } from '../../base/errors.ts';
import { resolveHome } from '../../base/home.ts';
import type { PluginFolderService, PluginPlacement, PluginProblem } from '../../contracts/services/plugin-folders.ts';
import type { PluginInfo, PluginService } from '../../contracts/services/plugins.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { readPluginSettings } from '../../parts/config/plugin-settings.ts';
import { checkInstalled } from '../../plugins/install/check-installed.ts';
import { installPlugin, removePlugin, updatePlugin, type PluginInstallOptions } from '../../plugins/install/install-plugin.ts';
import { findFullData } from '../../plugins/process/measure-data.ts';
import { writeNewPlugin } from '../../plugins/install/new-plugin.ts';

/** The folders of a profile's plugins, as commands change them. */
export async function openPluginFolders(processEnv: Env, plugins: PluginService): Promise<PluginFolderService> {
  const home = resolveHome(processEnv);
  const env = mergeEnvironment(home.env, processEnv);
  const folder = join(home.root, 'plugins');
  // npm is the owner's own and gets the environment of the shell alone, without the keys of the profile.
  const options = (cwd: string): PluginInstallOptions => ({ plugins: folder, cwd, env: processEnv });
  const findOwn = async (name: string): Promise<PluginInfo> => {
    const info = await plugins.info(name);
    if (info.source === 'home') return info;
    throw new UsageError(`the plugin ${name} is not in ${folder} but in ${info.path}; change it there (${info.source}).`);
  };
  const describe = async (name: string, isNew: boolean, previous?: string): Promise<PluginPlacement> => ({
    plugin: await plugins.info(name),
    isNew,
    ...(previous !== undefined && { previous }),
  });
  return {
    install: async (source, cwd) => {
      const { name, isNew } = await installPlugin(source, options(cwd));
      return describe(name, isNew);
    },
    update: async (name, cwd, source) => {
      const { path, version } = await findOwn(name);
      const { isNew } = await updatePlugin(name, relative(folder, path), source, options(cwd));
      return describe(name, isNew, version);
    },
    remove: async (name) => {
      const { path } = await findOwn(name);
      await plugins.disable(name);
      await removePlugin(relative(folder, path), folder);
      const data = join(home.root, 'plugin-data', name);
      return { name, ...(existsSync(data) && { data }) };
    },
    create: async (name, cwd) => writeNewPlugin(name, cwd),
    check: async (name) => {
      const lines = name === undefined ? await plugins.list() : [await plugins.info(name)];
      const { memory } = await plugins.choices();
      const found: PluginProblem[] = [];
      for (const line of lines) {
        if (line.state === 'shadowed') continue;
        const info = await plugins.info(line.name);
        const settings = info.manifest === undefined ? undefined : await readPluginSettings(info.manifest, home.config, env);
        const data =
          info.isolation === 'inside' ? undefined : await findFullData(join(home.root, 'plugin-data', line.name), plugins.maxDataBytes);
        const wrong = { ...(settings?.ok === false && { settings: settings.why }), ...(data !== undefined && { data }) };
        found.push(...checkInstalled(info, { env, envFile: home.env, memory, ...wrong }));
      }
      return found;
    },
  };
}
