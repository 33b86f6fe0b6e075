import { toVisibleLine } from '../base/visible.ts';
import { describeUnusable } from './plugins.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { PluginPlacement, PluginProblem } from '../contracts/services/plugin-folders.ts';

const FACTS = { category: 'tools', where: ['shell'], whileBusy: 'run', needs: ['pluginFolders'] } as const;
const NAME = { kind: 'text', required: true, description: 'the name of the plugin, as hermes plugins list shows it' } as const;
const SOURCE = 'a folder, a .tgz or .tar.gz file, or an npm package as name or name@version';

export const pluginsInstall = defineCommand({
  ...FACTS,
  name: 'plugins install',
  summary: 'Install a plugin from a folder, an archive or npm; it does not run before you enable it',
  arguments: { source: { kind: 'text', required: true, completes: 'file', description: SOURCE } },
  ownerOnly: true,
  json: 'as JSON',
  examples: [
    'hermes plugins install ./weather',
    'hermes plugins install weather-1.0.0.tgz',
    'hermes plugins install hermes-plugin-weather@1.0.0',
  ],
  run: ({ source }, { pluginFolders }, { cwd }) => pluginFolders.install(source, cwd),
  describe: (placed) => describePlacement(`${placed.plugin.name} ${placed.plugin.version} is installed in ${placed.plugin.path}.`, placed),
});

export const pluginsUpdate = defineCommand({
  ...FACTS,
  name: 'plugins update',
  summary: 'Replace a plugin with its newest version; what changed does not run before you enable it again',
  arguments: { name: NAME, source: { kind: 'text', completes: 'file', description: `${SOURCE}; from where it came when left out` } },
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes plugins update weather', 'hermes plugins update weather ./weather-2.0.0.tgz'],
  run: ({ name, source }, { pluginFolders }, { cwd }) => pluginFolders.update(name, cwd, source),
  describe: (placed) => {
    const { plugin, previous = '' } = placed;
    const versions =
      previous === plugin.version
        ? `: other files, still version ${previous}`
        : `${previous === '' ? '' : ` from ${previous}`} to ${plugin.version}`;
    return placed.isNew
      ? describePlacement(`${plugin.name} was updated${versions}.`, placed)
      : toVisibleLine(`${plugin.name} ${plugin.version} is the newest there is. Nothing was changed.`);
  },
});

/** What it wants stands there right away, and what is new to the owner by itself. */
function describePlacement(first: string, { plugin: { name, state, consent, grown, warnings } }: PluginPlacement): string {
  const wants = grown.length > 0 ? ['It wants more than you agreed to:', ...grown.map((words) => `- ${words}`)] : [];
  return [
    first,
    ...(state === 'disabled' ? consent.map((words) => `- ${words}`) : wants),
    ...warnings.map((words) => `Warning: ${words}`),
    ...(state === 'enabled'
      ? []
      : [`It does not run${state === 'disabled' ? ' yet' : ' until you agree again'}. To let it run, type: hermes plugins enable ${name}`]),
  ]
    .map(toVisibleLine)
    .join('\n');
}

export const pluginsRemove = defineCommand({
  ...FACTS,
  name: 'plugins remove',
  summary: 'Remove a plugin; its settings and data stay',
  arguments: { name: NAME },
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes plugins remove weather'],
  needs: ['plugins', 'pluginFolders'],
  run: async ({ name }, { plugins, pluginFolders }) => ({
    ...(await pluginFolders.remove(name)),
    unusable: describeUnusable(await plugins.choices()),
  }),
  describe: ({ name, data, unusable }) =>
    [`${name} was removed.${data === undefined ? '' : ` What it kept is still in ${data}.`}`, ...unusable].map(toVisibleLine).join('\n'),
});

export const pluginsNew = defineCommand({
  ...FACTS,
  name: 'plugins new',
  summary: 'Write the folder of a new plugin that works and has a test',
  arguments: { name: { kind: 'text', required: true, description: 'its name: lower case letters, digits, - and _' } },
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes plugins new weather'],
  run: ({ name }, { pluginFolders }, { cwd }) => pluginFolders.create(name, cwd),
  describe: ({ name, path, files }) =>
    [`${path} is written: ${files.join(', ')}.`, `Then: hermes plugins install ./${name}`, `And: hermes plugins enable ${name}`]
      .map(toVisibleLine)
      .join('\n'),
});

export const pluginsDoctor = defineCommand({
  ...FACTS,
  name: 'plugins doctor',
  summary: 'Say what keeps plugins from working, and what to do about it',
  arguments: { name: { kind: 'text', description: NAME.description } },
  json: 'as JSON',
  examples: ['hermes plugins doctor', 'hermes plugins doctor weather'],
  run: async ({ name }, { pluginFolders }) => {
    const problems = await pluginFolders.check(name);
    return { problems, ok: problems.every(({ isWarning }) => isWarning) };
  },
  describe: ({ problems }) => problems.map(describeProblem).join('\n') || 'Nothing keeps a plugin from working.',
});
const describeProblem = ({ plugin, problem, fix, isWarning }: PluginProblem): string =>
  toVisibleLine(`${plugin}: ${isWarning ? 'warning: ' : ''}${problem}${/[.!?]$/.test(problem) ? '' : '.'} ${fix}`);
