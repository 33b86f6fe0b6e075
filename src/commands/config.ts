import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../base/errors.ts';
import { readPath } from '../base/json.ts';
import { toVisibleLine } from '../base/visible.ts';
import type { CheckupService, CheckupFinding } from '../contracts/services/insight.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { ConfigurationService, DeclaredSetting, SettingProblem, SettingState } from '../contracts/services/configuration.ts';

const FACTS = { category: 'settings', where: ['shell'], whileBusy: 'run', needs: ['configuration'] } as const;
const KEY = {
  kind: 'text',
  completes: 'setting',
  description: 'a setting such as model.default, or a secret such as OPENAI_API_KEY',
} as const;

/**
 * Whether a setting is the owner's alone, itself or something below or above it. A variable that names a setting is that
 * setting; any other holds a secret. What nobody knows here may be read elsewhere.
 */
function isOwners(key: string, settings: readonly DeclaredSetting[]): boolean {
  const meant = settings.filter(
    ({ key: each, env }) => each === key || env === key || each.startsWith(`${key}.`) || key.startsWith(`${each}.`),
  );
  return meant.length === 0 || meant.some(({ field }) => field.owner === true);
}

/** One value, bare, or all that differ from their default. Secrets are masked. */
export type ShownSettings =
  | { readonly type: 'setting'; readonly setting: SettingState }
  | { readonly type: 'changed'; readonly settings: readonly SettingState[] }
  | { readonly type: 'variable'; readonly name: string; readonly value?: string; readonly ok: boolean };

function describeSettings(shown: ShownSettings): string {
  if (shown.type === 'variable') return shown.value === undefined ? `${shown.name} is not set.` : shown.value;
  const rows = shown.type === 'setting' ? [shown.setting] : shown.settings;
  return (
    rows.map(({ key, value }) => toVisibleLine(`${key}: ${JSON.stringify(value)}`)).join('\n') || 'All settings have their default values.'
  );
}

export const configGet = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  slash: ['config', 'config get', 'config show'],
  name: 'config get',
  aliases: ['config show'],
  summary: 'Show a setting, or all that differ from their default',
  arguments: { key: KEY },
  json: 'as JSON',
  examples: ['hermes config get agent.max_turns', 'hermes config get --json'],
  run: async ({ key }, { configuration }): Promise<ShownSettings> => {
    const variable = key === undefined ? undefined : configuration.variable(key);
    if (variable !== undefined) return { type: 'variable', ...variable, ok: variable.value !== undefined };
    const { settings, problems } = await configuration.standing();
    const [problem] = problems;
    if (problem !== undefined) throw new UsageError(problem.sentence);
    const below = findBelowTable(key, settings);
    if (key !== undefined) return { type: 'setting', setting: below ?? settingNamed(key, settings, configuration) };
    return { type: 'changed', settings: settings.filter(isChanged) };
  },
  describe: describeSettings,
});

/** A file may say what would hold without it. */
const isChanged = (setting: SettingState): boolean => setting.from !== 'default' && !isDeepStrictEqual(setting.value, setting.default);

/** Finds a setting by its key, or by the variable that names it. */
function settingNamed(name: string, settings: readonly SettingState[], configuration: ConfigurationService): SettingState {
  const found = settings.find(({ key, env }) => key === name || env === name);
  if (found === undefined) throw new UsageError(configuration.unknown(name));
  return found;
}

/** Something below a table, whose members are no settings of their own: `platforms.telegram.owners`. */
function findBelowTable(name: string | undefined, settings: readonly SettingState[]): SettingState | undefined {
  const table = settings.find(({ key, field }) => field.kind === 'table' && name?.startsWith(`${key}.`) === true);
  if (name === undefined || table === undefined) return undefined;
  const value = readPath(table.value, ...name.slice(table.key.length + 1).split('.'));
  if (value === undefined) throw new UsageError(`${name} is not set. To set it: hermes config set ${name} VALUE`);
  return { ...table, key: name, value };
}

/** Changes one setting in the file, or one secret in `.env`; nothing is written unless it is right. */
export const configSet = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  name: 'config set',
  summary: 'Change a setting, or a secret in .env',
  arguments: { key: { ...KEY, required: true }, value: { kind: 'text', description: 'the new value' } },
  options: { secret: { kind: 'flag', description: 'type the value without showing it, or pipe it in' } },
  ownerOnly: ({ key }, { configuration }) => (isOwners(key, configuration.declared()) ? `config set ${key}` : undefined),
  json: 'as JSON',
  examples: [
    'hermes config set model.default anthropic/claude-sonnet-4.6',
    'hermes config set toolsets terminal,file',
    'hermes config set platforms.telegram.extra.require_mention true',
    'hermes config set OPENROUTER_API_KEY --secret',
    'pass show openrouter | hermes config set OPENROUTER_API_KEY --secret',
  ],
  run: async ({ key, value, secret }, { configuration }, { readSecret, signal }) => {
    if (secret === true && value !== undefined)
      throw new UsageError('--secret asks for the value, so leave the value out. Nothing was changed.');
    if (value !== undefined) return { ...(await configuration.set(key, value)), typedOpenly: configuration.isSecret(key) };
    if (secret !== true)
      throw new UsageError(
        `the new value is missing: hermes config set ${key} VALUE, or hermes config set ${key} --secret to type it without showing it.`,
      );
    if (readSecret === undefined) throw new UsageError('there is no terminal to type the secret in.');
    const typed = await readSecret({ name: key, question: `Value of ${key}?` }, signal);
    return { ...(await configuration.set(key, typed)), typedOpenly: false };
  },
  describe: ({ key, value, file }) => `${key} is ${JSON.stringify(value)} now, in ${file}.`,
});

/** Takes one setting out of the file, or one variable out of `.env`; its default holds again. */
export const configUnset = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  name: 'config unset',
  summary: 'Remove a setting so that its default applies, or a secret from .env',
  arguments: { key: { ...KEY, required: true } },
  ownerOnly: ({ key }, { configuration }) => (isOwners(key, configuration.declared()) ? `config unset ${key}` : undefined),
  json: 'as JSON',
  examples: ['hermes config unset agent.max_turns', 'hermes config unset OPENROUTER_API_KEY'],
  run: ({ key }, { configuration }) => configuration.unset(key),
  describe: ({ key, file, removed }) => (removed ? `${key} is gone from ${file}.` : `${key} was not in ${file}.`),
});

/** Opens the file in an editor and checks it afterwards. */
export const configEdit = defineCommand({
  ...FACTS,
  needs: ['configuration', 'checkup'],
  name: 'config edit',
  summary: 'Edit the settings file in $VISUAL or $EDITOR, then check it',
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes config edit', 'EDITOR=nano hermes config edit'],
  run: async (_values, { configuration, checkup }, { edit }): Promise<CheckedSettings> => {
    if (edit === undefined) throw new UsageError(`there is no terminal to edit in; the file is ${configuration.path}.`);
    configuration.create();
    await edit(configuration.path);
    return checked(configuration, checkup);
  },
});

/** Brings a settings file of an earlier version, or of the Python system, up to date; comments and unknown settings stay. */
export const configMigrate = defineCommand({
  ...FACTS,
  name: 'config migrate',
  summary: 'Move settings of earlier versions to where they are read today; a backup is kept',
  options: { dryRun: { kind: 'flag', description: 'show what would change and write nothing' } },
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes config migrate --dry-run', 'hermes config migrate'],
  run: async ({ dryRun = false }, { configuration }) => ({ ...(await configuration.migrate(dryRun)), isDryRun: dryRun }),
});

export const configPath = defineCommand({
  ...FACTS,
  name: 'config path',
  summary: 'Print the path of the settings file',
  json: 'as JSON',
  examples: ['$EDITOR "$(hermes config path)"'],
  run: async (_values, { configuration }) => ({ path: configuration.path }),
});

/** What is wrong with the settings file; `changed` is how many settings differ from their default. */
export interface CheckedSettings {
  readonly path: string;
  readonly problems: readonly SettingProblem[];
  readonly warnings: readonly SettingProblem[];
  readonly changed: number;
  /** What the next session will have by them; empty while they cannot be read. */
  readonly session: readonly CheckupFinding[];
  readonly ok: boolean;
}

export const configCheck = defineCommand({
  ...FACTS,
  needs: ['configuration', 'checkup'],
  name: 'config check',
  summary: 'Check the settings file and show what the next session will use',
  json: 'one JSON array',
  examples: ['hermes config check'],
  run: (_values, { configuration, checkup }): Promise<CheckedSettings> => checked(configuration, checkup),
});

async function checked(configuration: ConfigurationService, checkup: CheckupService): Promise<CheckedSettings> {
  const { settings, problems, warnings } = await configuration.standing();
  const changed = settings.filter(isChanged).length;
  const session = problems.length === 0 ? await checkup.nextSession() : [];
  return {
    path: configuration.path,
    problems,
    warnings,
    changed,
    session,
    ok: problems.length === 0 && session.every(({ name, ok }) => ok || name === ROUTE),
  };
}
/** A model that cannot be reached yet is no mistake of the file. */
const ROUTE = 'route';

/** Every setting; the schema is for `--json`. */
export interface DeclaredSettings {
  readonly settings: readonly DeclaredSetting[];
  readonly schema: unknown;
}

export const configSchema = defineCommand({
  ...FACTS,
  name: 'config schema',
  summary: 'List every setting with its default',
  json: 'as JSON Schema',
  examples: ['hermes config schema | less', 'hermes config schema --json > hermes.schema.json'],
  run: async (_values, { configuration }): Promise<DeclaredSettings> => ({
    settings: configuration.declared(),
    schema: configuration.schema(),
  }),
});

/** Works with a broken file too: then the value is what would be read without the broken parts. */
export const configExplain = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  name: 'config explain',
  summary: 'Explain a setting: what it does, its value and where that comes from',
  arguments: { key: { ...KEY, required: true } },
  json: 'as JSON',
  examples: ['hermes config explain agent.max_turns'],
  run: async ({ key }, { configuration }) => {
    const { settings, problems } = await configuration.standing();
    const setting = settingNamed(key, settings, configuration);
    const own = problems.filter((problem) => problem.key === setting.key || problem.key === '');
    return { setting, problems: own, ok: own.length === 0 };
  },
  describe: ({ setting: { key, describe, value, place } }) => `${key}: ${describe}\nIt is ${JSON.stringify(value)} (${place}).`,
});
