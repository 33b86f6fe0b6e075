import { homeAt, type Home } from '../../base/home.ts';
import { UsageError } from '../../base/errors.ts';
import type { Field } from '../../contracts/settings.ts';
import type { JsonFlag } from '../../faces/cli/verbs.ts';
import { plain, renderExplanation, renderProblems, renderSchema, renderValues } from '../../faces/cli/config.ts';
import { readIfThere, tell, type Problem } from '../../parts/config/config.ts';
import { readConfig, unknownKey } from '../config.ts';
import { FIELDS } from '../config.ts';
import type { Env } from '../../base/env.ts';
import { withVariable } from '../../parts/config/env-file.ts';
import { readValue } from '../../parts/config/read-value.ts';
import { environment } from '../../parts/config/environment.ts';
import { isSecretName, isVariable, masked } from '../../base/secret-names.ts';
import { declaredSettings, standingSettings, type DeclaredSetting, type StandingSetting } from '../../parts/config/setting-rows.ts';
import { settingsSchema } from '../../parts/config/schema.ts';
import { writeWhole } from '../../parts/config/write-whole.ts';
import { profileNames } from '../../parts/providers/catalog/variables.ts';

const print = (text: string): number => (process.stdout.write(`${text}\n`), 0);
const json = (value: unknown): number => print(JSON.stringify(value, undefined, 2));

interface Desk {
  readonly home: Home;
  readonly env: Env;
}
function desk(): Desk {
  const home = homeAt(process.env);
  return { home, env: environment(home.env, process.env) };
}

/** One value, bare, or all that differ from their default. Secrets are masked. */
export async function get(key: string | undefined, flags: JsonFlag): Promise<number> {
  const { home, env } = desk();
  if (key !== undefined && isVariable(key)) return getVariable(key, env, flags);
  const standing = await standingNow(home, env);
  if (key === undefined) {
    const changed = standing.filter(({ from }) => from !== 'default');
    return flags.json === true ? json(changed.map(valueRow)) : print(renderValues(changed));
  }
  const setting = settingNamed(key, standing);
  return flags.json === true ? json(valueRow(setting)) : print(plain(setting.value));
}

function getVariable(name: string, env: Env, flags: JsonFlag): number {
  const value = env[name];
  const fit = value === undefined || !isSecretName(name) ? value : masked(value);
  if (flags.json === true) return json({ key: name, value: fit ?? null, set: value !== undefined });
  if (fit !== undefined) return print(fit);
  process.stderr.write(`hermes: ${name} is not set.\n`);
  return 1;
}

async function standingNow(home: Home, env: Env): Promise<StandingSetting[]> {
  const reading = await readConfig(home.config, env);
  const [problem] = reading.problems;
  if (problem !== undefined) throw new UsageError(tell(home.config, problem));
  return standingSettings(FIELDS, reading, home.config, env);
}

/** Finds a setting by its key, or by the variable that names it. */
function settingNamed<Setting extends DeclaredSetting>(name: string, settings: readonly Setting[]): Setting {
  const found = settings.find(({ key, env }) => key === name || env === name);
  if (found !== undefined) return found;
  const { words, cure } = unknownKey(name);
  throw new UsageError(`${words}. ${cure}`);
}

const valueRow = ({ key, value, from, place, default: standard }: StandingSetting) => ({
  key,
  value,
  source: from,
  place,
  default: standard,
});

/** Changes one setting in the file, or one secret in `.env`; nothing is written unless it is right. */
export async function set(key: string, value: string): Promise<number> {
  const { home } = desk();
  if (isVariable(key)) return setVariable(home, key, value.trim());
  const field = FIELDS.get(key);
  if (field === undefined) {
    const { words, cure } = unknownKey(key);
    throw new UsageError(`${words}. ${cure}`);
  }
  const read = readValue(field, await typed(field, value));
  if (!read.ok) throw new UsageError(`${key} ${read.words}. Nothing was changed.`);
  await refuseBroken(home.config);
  const { withSetting } = await import('../../parts/config/yaml-edit.ts');
  writeWhole(home.config, withSetting(readIfThere(home.config) ?? '', key, read.value));
  return print(`${key} is now ${plain(read.value)} in ${home.config}.`);
}

/** Lists and tables may be written as YAML or JSON: `[a, b]`. */
async function typed(field: Field, value: string): Promise<unknown> {
  if ((field.kind !== 'list' && field.kind !== 'table') || !/^\s*[[{]/.test(value)) return value;
  const { parseDocument } = await import('yaml');
  const document = parseDocument(value);
  if (document.errors.length > 0)
    throw new UsageError(
      `${JSON.stringify(value)} is neither YAML nor JSON. Nothing was changed; put the whole list or table into quotes.`,
    );
  return document.toJS();
}

/** A file that cannot be read as a table of settings is not touched: editing it would lose what is in it. */
async function refuseBroken(file: string): Promise<void> {
  const broken = (await readConfig(file, {})).problems.find(({ key }) => key === '');
  if (broken !== undefined) throw new UsageError(`${tell(file, broken)} Nothing was changed.`);
}

function setVariable(home: Home, name: string, value: string): number {
  const setting = declaredSettings(FIELDS).find(({ env }) => env === name);
  if (setting !== undefined) throw new UsageError(`${name} names the setting ${setting.key}: hermes config set ${setting.key} ${value}`);
  if (!isSecretName(name) && !profileNames().includes(name))
    throw new UsageError(
      `${name} is neither a setting nor a secret. hermes config schema lists the settings; secrets end in _API_KEY, _TOKEN and the like.`,
    );
  if (value === '') throw new UsageError(`the value of ${name} is empty. Nothing was changed.`);
  writeWhole(home.env, withVariable(readIfThere(home.env) ?? '', name, value), 0o600);
  return print(`${name} is now ${isSecretName(name) ? masked(value) : value} in ${home.env}, which only you can read.`);
}

export async function path(): Promise<number> {
  return print(homeAt(process.env).config);
}

export async function check(flags: JsonFlag): Promise<number> {
  const { home, env } = desk();
  const { problems, warnings, sources } = await readConfig(home.config, env);
  if (flags.json === true) json(problems.map((problem) => problemRow(home, problem)));
  else if (problems.length > 0) print(renderProblems(problems.map((problem) => ({ ...problem, where: whereOf(home, problem) }))));
  else print(`No mistakes in ${home.config}. Settings that differ from their default: ${Object.keys(sources).length}.`);
  for (const warning of warnings) process.stderr.write(`${tell(home.config, warning)}\n`);
  return problems.length > 0 ? 2 : 0;
}

const whereOf = ({ config }: Home, { line, variable }: Problem): string => variable ?? `${config}${line === undefined ? '' : `:${line}`}`;

const problemRow = (home: Home, { key, line, words, cure, variable }: Problem) => ({
  file: variable === undefined ? home.config : null,
  line: line ?? null,
  variable: variable ?? null,
  key,
  problem: words,
  cure,
});

export async function schema(flags: JsonFlag): Promise<number> {
  return flags.json === true ? json(settingsSchema(FIELDS)) : print(renderSchema(declaredSettings(FIELDS)));
}

/** Works with a broken file too: then the value is what would be read without the broken parts. */
export async function explain(key: string): Promise<number> {
  const { home, env } = desk();
  const reading = await readConfig(home.config, env);
  const setting = settingNamed(key, standingSettings(FIELDS, reading, home.config, env));
  print(renderExplanation(setting));
  const own = reading.problems.filter((problem) => problem.key === setting.key || problem.key === '');
  for (const problem of own) process.stderr.write(`hermes: ${tell(home.config, problem)}\n`);
  return own.length > 0 ? 2 : 0;
}
