import { UsageError } from '../base/errors.ts';
import { toVisibleLine } from '../base/visible.ts';
import type { CommandContext } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { SettingField } from '../contracts/settings.ts';
import type { PluginChoice, PluginChoices, PluginInfo, PluginIsolation, PluginLine, PluginState } from '../contracts/services/plugins.ts';

const FACTS = { category: 'tools', where: ['shell'], whileBusy: 'run', needs: ['plugins'] } as const;
const NAME = { kind: 'text', required: true, description: 'the name of the plugin, as hermes plugins list shows it' } as const;

const STATES: Readonly<Record<PluginState, (row: PluginLine) => string>> = {
  enabled: ({ why }) => (why === undefined ? 'enabled' : `does not run: ${why}`),
  disabled: ({ name }) => `disabled; to use it: hermes plugins enable ${name}`,
  changed: ({ name }) => `does not run: it changed since you enabled it; look at it, then type: hermes plugins enable ${name}`,
  grown: ({ name }) => `does not run: it changed and wants more than you agreed to; type: hermes plugins enable ${name}`,
  broken: ({ why = '' }) => `cannot be used: ${why}`,
  shadowed: () => 'not used: another plugin of this name comes first',
};
const ISOLATION: Readonly<Record<PluginIsolation, string>> = {
  sandbox: 'isolated',
  process: 'not isolated',
  inside: 'not isolated (runs inside Hermes)',
  data: 'no code',
};
const describeLine = (row: PluginLine): string =>
  toVisibleLine(
    [
      row.name,
      row.version,
      row.source,
      STATES[row.state](row),
      ...(row.state === 'broken' ? [] : [ISOLATION[row.isolation]]),
      row.description,
    ]
      .filter((part) => part !== '')
      .join('  '),
  );

export const pluginsList = defineCommand({
  ...FACTS,
  name: 'plugins list',
  summary: 'List plugins, whether they are enabled and how they are isolated',
  json: 'one JSON array',
  examples: ['hermes plugins list', "hermes plugins list --json | jq -r '.[].name'"],
  run: (_values, { plugins }) => plugins.list(),
  describe: (rows) =>
    rows.map(describeLine).join('\n') ||
    'There are no plugins. To install one: hermes plugins install SOURCE. To write one: hermes plugins new NAME',
});

export const pluginsInfo = defineCommand({
  ...FACTS,
  name: 'plugins info',
  summary: 'Show what a plugin brings, what it may do and its settings',
  arguments: { name: NAME },
  json: 'as JSON',
  examples: ['hermes plugins info weather'],
  run: ({ name }, { plugins }) => plugins.info(name),
  describe: (info) =>
    [
      describeLine(info),
      `Folder: ${toVisibleLine(info.path)}`,
      ...info.consent.map((words) => `- ${toVisibleLine(words)}`),
      ...Object.entries(info.manifest?.settings ?? {}).map(([key, field]) => describeSetting(info, key, field)),
      ...describeWarnings(info),
    ].join('\n'),
});

function describeSetting({ name, settings }: PluginInfo, key: string, field: SettingField): string {
  const [usual, now] = [JSON.stringify(field.default), JSON.stringify(settings?.[key])];
  const value = now === undefined || now === usual ? `default ${usual}` : `now ${now}, default ${usual}`;
  const words = field.kind === 'choice' ? ` (${field.choices.join(', ')})` : '';
  return toVisibleLine(`Setting plugins.entries.${name}.settings.${key} (${value}): ${field.describe}${words}`);
}

const describeWarnings = ({ warnings }: PluginInfo): readonly string[] => warnings.map((words) => `Warning: ${toVisibleLine(words)}`);

export const pluginsEnable = defineCommand({
  ...FACTS,
  name: 'plugins enable',
  summary: 'Let a plugin run, after showing what it may do',
  arguments: { name: NAME },
  options: { yes: { kind: 'flag', letter: 'y', description: 'agree to everything it declares, without being asked' } },
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes plugins enable weather', 'hermes plugins enable weather --yes'],
  run: async ({ name, yes = false }, { plugins }, context) => {
    const seen = await plugins.info(name);
    if (seen.state === 'broken') throw new UsageError(`the plugin ${name} cannot be enabled: ${toVisibleLine(seen.why ?? '')}`);
    if (seen.state === 'enabled') return seen;
    if (!yes && !(await agree(seen, context))) throw new UsageError(`the plugin ${name} was not enabled.`);
    return plugins.enable(name, seen.hash);
  },
  describe: (info) =>
    [
      toVisibleLine(`${info.name} is enabled, for sessions that begin from now on. A change in ${info.path} needs your consent again.`),
      ...describeWarnings(info),
    ].join('\n'),
});

/** Everything it declares stands in the question: nobody agrees to what they were not shown. */
async function agree({ name, version, source, path, consent, grown }: PluginInfo, { confirm }: CommandContext): Promise<boolean> {
  const lines = [
    `The plugin ${name} ${version} (${source}, ${path}):`,
    ...consent.map((words) => `- ${words}`),
    ...(grown.length === 0 ? [] : ['New since you last agreed:', ...grown.map((words) => `- ${words}`)]),
  ].map(toVisibleLine);
  if (confirm === undefined) throw new UsageError(`${lines.join('\n')}\nNobody can be asked here. If you agree, add --yes.`);
  return confirm(`${lines.join('\n')}\nEnable it?`);
}

export const pluginsDisable = defineCommand({
  ...FACTS,
  name: 'plugins disable',
  summary: 'Keep a plugin from running; its settings and data stay',
  arguments: { name: NAME },
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes plugins disable weather'],
  run: async ({ name }, { plugins }) => {
    const wasEnabled = await plugins.disable(name);
    // One that is not there anymore may still have had consent; a name that nobody has is a mistake.
    if (!wasEnabled) await plugins.info(name);
    return { name, enabled: false, wasEnabled, unusable: describeUnusable(await plugins.choices()) };
  },
  describe: ({ name, wasEnabled, unusable }) =>
    [wasEnabled ? `${name} no longer runs.` : `${name} is not enabled. Nothing was changed.`, ...unusable].map(toVisibleLine).join('\n'),
});

/** Bare, it asks for both; with an option it asks nothing. */
export const pluginsChoose = defineCommand({
  ...FACTS,
  name: 'plugins',
  summary: 'Install plugins, decide which of them run, and choose the memory provider and the context engine',
  options: {
    memory: { kind: 'text', placeholder: 'name', description: 'use this memory provider; none for none' },
    engine: { kind: 'text', placeholder: 'name', description: 'use this context engine' },
  },
  ownerOnly: ({ memory, engine }) =>
    memory !== undefined || engine !== undefined ? 'choosing a memory provider or a context engine' : undefined,
  json: 'as JSON',
  examples: ['hermes plugins', 'hermes plugins --memory session_log', 'hermes plugins --engine compressor'],
  run: async ({ memory, engine }, { plugins }, context): Promise<PluginChoices> => {
    if (memory !== undefined || engine !== undefined)
      return plugins.choose({ ...(memory !== undefined && { memory: toMemory(memory) }), ...(engine !== undefined && { engine }) });
    const now = await plugins.choices();
    const { choose, isForProgram } = context;
    if (choose === undefined || isForProgram === true) return now;
    const named = await choose({
      question: 'Which memory provider?',
      choices: [{ value: NONE, note: 'no external memory' }, ...now.memories.map(toOption)],
      suggested: isThere(now.memories, now.memory) ? now.memory : NONE,
    });
    const picked = await choose({
      question: 'Which context engine?',
      choices: now.engines.map(toOption),
      suggested: isThere(now.engines, now.engine) ? now.engine : 'compressor',
    });
    return plugins.choose({ memory: toMemory(named), engine: picked });
  },
  describe: (choices) =>
    [
      `Memory provider: ${choices.memory === '' ? NONE : choices.memory}. Context engine: ${choices.engine}. Sessions that begin from now on use them.`,
      ...describeUnusable(choices),
      ...(choices.memories.some(({ name, needsNoSetup }) => name === choices.memory && needsNoSetup !== true)
        ? [`If the memory provider has settings: hermes memory setup --provider ${choices.memory}`]
        : []),
    ]
      .map(toVisibleLine)
      .join('\n'),
});

const isThere = (list: readonly PluginChoice[], wanted: string): boolean => list.some(({ name }) => name === wanted);

/** A setting may name what a plugin brought that does not run any more. */
export function describeUnusable({ memory, engine, memories, engines }: PluginChoices): readonly string[] {
  const advice = 'no enabled plugin brings it. To choose another: hermes plugins';
  return [
    ...(memory === '' || isThere(memories, memory) ? [] : [`The memory provider ${memory} cannot be used: ${advice}`]),
    ...(isThere(engines, engine) ? [] : [`The context engine ${engine} cannot be used, so the built-in one takes its place: ${advice}`]),
  ];
}
const NONE = 'none';
const toMemory = (name: string): string => (name === NONE ? '' : name);
const toOption = ({ name, note }: PluginChoice) => ({ value: name, ...(note !== undefined && { note }) });
