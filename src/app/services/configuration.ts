import { UsageError } from '../../base/errors.ts';
import { resolveHome, type Home } from '../../base/home.ts';
import type {
  ChangedSetting,
  ChangedSettings,
  ConfigurationService,
  RemovedSetting,
  SettingProblem,
} from '../../contracts/services/configuration.ts';
import type { RegistrySnapshot } from '../../contracts/registries.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import type { SettingField } from '../../contracts/settings.ts';
import { readPath } from '../../base/json.ts';
import { isSecretName, isVariable, maskSecret, maskValue } from '../../base/secret-names.ts';
import { readIfThere, formatConfigProblem, describeUnknownKey, settingAbove, type Fields } from '../../parts/config/config.ts';
import type { ConfigProblem } from '../../parts/config/problem.ts';
import { withoutVariable, withVariable } from '../../parts/config/env-file.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { readValue } from '../../parts/config/read-value.ts';
import { createSettingsSchema } from '../../parts/config/schema.ts';
import { listDeclaredSettings, listSettingStates } from '../../parts/config/setting-rows.ts';
import { writeWhole } from '../../parts/config/write-whole.ts';
import { listProfileVariables } from '../../parts/providers/catalog/all.ts';
import { collectSettingFields, readConfig } from '../config/config.ts';

export function createConfigurationService(options: ServiceOptions): ConfigurationService {
  const { processEnv, registered } = options;
  const home = resolveHome(processEnv);
  const fields = collectSettingFields(registered);
  const tables = { home, registered, fields };
  return {
    path: home.config,
    declared: () => listDeclaredSettings(fields),
    standing: async () => {
      const env = mergeEnvironment(home.env, processEnv);
      const reading = await readConfig(home.config, env, registered);
      const told = (problem: ConfigProblem) => problemLine(problem, home.config);
      return {
        settings: listSettingStates(fields, reading, home.config, env),
        problems: reading.problems.map(told),
        warnings: reading.warnings.map(told),
      };
    },
    schema: () => createSettingsSchema(fields),
    variable: (name) => {
      if (!isVariable(name)) return undefined;
      const value = mergeEnvironment(home.env, processEnv)[name];
      return { name, ...(value !== undefined && { value: isSecretName(name) ? maskSecret(value) : value }) };
    },
    set: (key, value) => (isVariable(key) ? setVariable(tables, key, value.trim()) : setSetting(tables, key, value)),
    change: (settings) => changeSettings(tables, settings),
    unset: (key) => (isVariable(key) ? unsetVariable(tables, key) : unsetSetting(tables, key)),
    migrate: async (isDryRun) => {
      await refuseBroken(home.config, registered);
      return (await import('./migrate-config.ts')).migrateSettings(options, fields, isDryRun);
    },
    create: () => {
      if (readIfThere(home.config) === undefined) writeWhole(home.config, '');
    },
    isSecret: (name) => isVariable(name) && isSecretName(name),
    unknown: (key) => unknownWords(fields, key),
  };
}

const problemLine = (problem: ConfigProblem, path: string): SettingProblem => ({
  ...problem,
  where: problem.variable ?? `${path}${problem.line === undefined ? '' : `:${problem.line}`}`,
  sentence: formatConfigProblem(path, problem),
});

function unknownWords(fields: Fields, key: string): string {
  const { words, cure } = describeUnknownKey(fields, key);
  return `${words}. ${cure}`;
}

/** Whose settings are changed, and which there are. */
interface SettingDeps {
  readonly home: Home;
  readonly registered: RegistrySnapshot;
  readonly fields: Fields;
}

async function setSetting({ home, registered, fields }: SettingDeps, key: string, value: string): Promise<ChangedSetting> {
  const field = fields.get(key);
  if (field === undefined && !isBelowTable(fields, key)) throw new UsageError(unknownWords(fields, key));
  const read =
    field === undefined ? ({ ok: true, value: await typedAnything(value) } as const) : readValue(field, await typed(field, value));
  if (!read.ok) throw new UsageError(`${key} ${read.words}. Nothing was changed.`);
  await refuseBroken(home.config, registered);
  const { withSetting } = await import('../../parts/config/yaml-edit.ts');
  writeWhole(home.config, withSetting(readIfThere(home.config) ?? '', key, read.value));
  return { key, value: showValue(key, read.value), file: home.config, isVariable: false };
}

/** Whether it names something in a table whose members are not settings of their own: `platforms.telegram.owners`. */
const isBelowTable = (fields: Fields, key: string): boolean =>
  fields.get(settingAbove(fields, key) ?? '')?.kind === 'table' && !key.split('.').includes('');

/** What is shown of a value that was set: a table may hold tokens. */
function showValue(key: string, value: unknown): unknown {
  const name = key.split('.').at(-1) ?? key;
  return readPath(maskValue({ [name]: value }, []), name);
}

/** All are checked before the file is written once. */
async function changeSettings(
  { home, registered, fields }: SettingDeps,
  settings: Readonly<Record<string, string | undefined>>,
): Promise<ChangedSettings> {
  await refuseBroken(home.config, registered);
  const [{ withSetting }, { withoutSetting }] = await Promise.all([
    import('../../parts/config/yaml-edit.ts'),
    import('../../parts/config/yaml-remove.ts'),
  ]);
  const before = readIfThere(home.config) ?? '';
  const { values } = await readConfig(home.config, {}, registered);
  let text = before;
  const changed: string[] = [];
  for (const [key, value] of Object.entries(settings)) {
    const next = value === undefined ? withoutSetting(text, key) : withSetting(text, key, checkValue(fields, key, value));
    if (next === undefined || (value !== undefined && values[key] === value)) continue;
    text = next;
    changed.push(key);
  }
  if (changed.length > 0) writeWhole(home.config, text);
  return { file: home.config, changed };
}

function checkValue(fields: Fields, key: string, value: string): unknown {
  const field = fields.get(key);
  if (field === undefined && isBelowTable(fields, key)) return value;
  if (field === undefined) throw new UsageError(unknownWords(fields, key));
  const read = readValue(field, value);
  if (!read.ok) throw new UsageError(`${key} ${read.words}. Nothing was changed.`);
  return read.value;
}

async function unsetSetting({ home, registered, fields }: SettingDeps, key: string): Promise<RemovedSetting> {
  const field = fields.get(key);
  await refuseBroken(home.config, registered);
  const { withoutSetting } = await import('../../parts/config/yaml-remove.ts');
  const text = readIfThere(home.config) ?? '';
  const next = withoutSetting(text, key);
  // A key we do not know may stand in the file all the same, and this is how it goes.
  if (field === undefined && next === undefined) throw new UsageError(unknownWords(fields, key));
  if (next !== undefined) writeWhole(home.config, next);
  return { key, file: home.config, removed: next !== undefined, ...(field !== undefined && { default: field.default }) };
}

async function unsetVariable({ home, fields }: SettingDeps, name: string): Promise<RemovedSetting> {
  const setting = listDeclaredSettings(fields).find(({ env }) => env === name);
  const text = readIfThere(home.env) ?? '';
  const next = withoutVariable(text, name);
  if (next === text && setting !== undefined)
    throw new UsageError(`${name} names the setting ${setting.key}: hermes config unset ${setting.key}`);
  if (next !== text) writeWhole(home.env, next, 0o600);
  return { key: name, file: home.env, removed: next !== text };
}

/** Lists and tables may be written as YAML or JSON: `[a, b]`. */
async function typed(field: SettingField, value: string): Promise<unknown> {
  return (field.kind !== 'list' && field.kind !== 'table') || !/^\s*[[{]/.test(value) ? value : parseTyped(value);
}

/** What kind of value it is, only its words can tell. Ids stay as they are: numbers as long as those of Discord would be rounded. */
async function typedAnything(value: string): Promise<unknown> {
  if (/^\s*[[{]/.test(value)) return parseTyped(value);
  if (value === 'true' || value === 'false') return value === 'true';
  return String(Number(value)) === value && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

async function parseTyped(value: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(value);
  if (document.errors.length > 0)
    throw new UsageError(
      `${JSON.stringify(value)} is not valid YAML or JSON. Nothing was changed. Put quotes around the whole list or table.`,
    );
  return document.toJS();
}

/** A file that cannot be read as a table of settings is not touched: editing it would lose what is in it. */
async function refuseBroken(file: string, registered: RegistrySnapshot): Promise<void> {
  const broken = (await readConfig(file, {}, registered)).problems.find(({ key }) => key === '');
  if (broken !== undefined) throw new UsageError(`${formatConfigProblem(file, broken)} Nothing was changed.`);
}

async function setVariable({ home, registered, fields }: SettingDeps, name: string, value: string): Promise<ChangedSetting> {
  const setting = listDeclaredSettings(fields).find(({ env }) => env === name);
  if (setting !== undefined) throw new UsageError(`${name} names the setting ${setting.key}: hermes config set ${setting.key} ${value}`);
  if (!isSecretName(name) && !listProfileVariables(registered.providers.values()).includes(name))
    throw new UsageError(
      `${name} is neither a setting nor a secret. The names of secrets end in _API_KEY, _TOKEN or similar. To list all settings: hermes config schema`,
    );
  if (value === '') throw new UsageError(`the value of ${name} is empty. Nothing was changed.`);
  writeWhole(home.env, withVariable(readIfThere(home.env) ?? '', name, value), 0o600);
  return { key: name, value: isSecretName(name) ? maskSecret(value) : value, file: home.env, isVariable: true };
}
