import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPluginService } from '../../src/app/plugins/plugin-service.ts';
import { createConfigurationService } from '../../src/app/services/configuration.ts';
import { createRegistries, snapshotRegistries } from '../../src/app/tools/registries.ts';
import { resolveHome, type Home } from '../../src/base/home.ts';
import type { PluginInfo, PluginService } from '../../src/contracts/services/plugins.ts';
import { openHomeStore } from '../../src/parts/store/home-store.ts';
import { folder } from './host-scene.ts';

/** A home of its own with plugins in it. */
export interface PluginHome {
  readonly home: Home;
  /** Writes files of a plugin; gives its folder. */
  write(name: string, files: Readonly<Record<string, string>>, below?: string): string;
  /** What the commands do, with a store of its own for each call. */
  use<Result>(work: (service: PluginService) => Promise<Result>): Promise<Result>;
  /** As `hermes plugins enable NAME --yes`. */
  enable(name: string): Promise<PluginInfo>;
}

export function createPluginHome(config = '', root = mkdtempSync(join(folder, 'plugins-'))): PluginHome {
  const home = resolveHome({ HERMES_HOME: root });
  if (config !== '') writeFileSync(home.config, config);
  const use: PluginHome['use'] = async (work) => {
    const options = { processEnv: { HERMES_HOME: home.root }, notice: () => {}, registered: snapshotRegistries(createRegistries()) };
    await using store = await openHomeStore(home);
    return await work(
      await createPluginService(options, { store: async () => store, configuration: async () => createConfigurationService(options) }),
    );
  };
  return {
    home,
    write: (name, files, below = 'plugins') => {
      const path = join(home.root, below, name);
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(path, file)), { recursive: true });
        writeFileSync(join(path, file), text);
      }
      return path;
    },
    use,
    enable: (name) => use(async (service) => service.enable(name, (await service.info(name)).hash)),
  };
}

/** A manifest, with what every one has. */
export const manifestOf = (name: string, rest: string): string =>
  `name: ${name}\nversion: 1.0.0\ndescription: For a test\napi: 1\nentry: index.js\n${rest}`;
/** An entry whose setup is this. */
export const entryOf = (name: string, setup: string): string =>
  `import { definePlugin } from 'hermes-ts/plugin';\nexport default definePlugin({ name: '${name}', async setup(host, settings) {\n${setup}\n} });\n`;
