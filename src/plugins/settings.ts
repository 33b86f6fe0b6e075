import { ownersAlone } from '../contracts/settings.ts';

export const pluginSettings = ownersAlone({
  'plugins.entries': {
    kind: 'table',
    default: {},
    describe: 'Settings of plugins, by their names: `NAME: { settings: { KEY: VALUE } }`. `hermes plugins info NAME` lists the keys.',
  },
  'plugins.data_mb': {
    kind: 'integer',
    default: 500,
    min: 1,
    describe: 'How much the data folder of a plugin may hold, in megabytes. A plugin with more does not run.',
  },
  'plugins.trusted_projects': {
    kind: 'list',
    default: [],
    describe: 'Folders of projects whose `.hermes/plugins` are looked at. Each plugin there still needs `hermes plugins enable`.',
  },
} as const);
