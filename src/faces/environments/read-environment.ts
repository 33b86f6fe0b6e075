import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toErrorMessage, UsageError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { describeUnknownName } from '../../base/unknown-name.ts';
import type { Environment } from '../../contracts/environment.ts';
import type { SettingGroups } from '../../contracts/services/environments.ts';
import { describeErrorPlace } from './error-place.ts';
import { ENVIRONMENTS } from './library/all.ts';

/** One that comes along, by its name; or one of somebody's own, by its file. */
export async function findEnvironment(named: string, cwd: string): Promise<Environment> {
  const known = ENVIRONMENTS.get(named);
  if (known !== undefined) return known;
  if (!/[/\\]|\.[cm]?[jt]s$/.test(named)) throw new UsageError(describeUnknown(named));
  const path = resolve(cwd, named);
  if (!existsSync(path))
    throw new UsageError(
      `there is no file ${path}${existsSync(`${path}.ts`) ? `; did you mean ${named}.ts?` : `. hermes env new ${named} writes one to begin with.`}`,
    );
  const module: unknown = await import(pathToFileURL(path).href).catch(async (error: unknown) => {
    throw new UsageError(`${path} could not be loaded: ${toErrorMessage(error)}${await describeErrorPlace(error, path)}`);
  });
  const found = typeof module === 'object' && module !== null ? Object.values(module).find(isEnvironment) : undefined;
  if (found === undefined)
    throw new UsageError(`${path} exports no environment: an object with name, description and load(). See docs/environments.md.`);
  return found;
}

const describeUnknown = (named: string): string =>
  describeUnknownName(
    'environment',
    named,
    [...ENVIRONMENTS.keys()],
    `See hermes env list. For a file of your own, give its path: ./${named}.ts`,
  );

const isEnvironment = (value: unknown): value is Environment =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'load' in value &&
  typeof value.load === 'function';

/** A YAML file with `env:` and `openai:`. */
export async function readConfigFile(path: string): Promise<SettingGroups> {
  const { parse } = await import('yaml');
  let values: unknown;
  try {
    values = parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path} could not be read: ${toErrorMessage(error)}`);
  }
  if (values === null || values === undefined) return {};
  if (!isObject(values)) throw new UsageError(`${path} must hold env: and openai:, each with settings below it.`);
  const unknown = Object.keys(values).find((key) => key !== 'env' && key !== 'openai');
  if (unknown !== undefined) throw new UsageError(`${path}: there is no section ${unknown}:, only env: and openai:.`);
  const section = (name: 'env' | 'openai') => {
    const found = values[name] ?? {};
    if (!isObject(found)) throw new UsageError(`${path}: ${name}: must have settings below it.`);
    return found;
  };
  return { env: section('env'), openai: section('openai') };
}

/** `env.max_agent_turns=5` as a value of its group; a group is `env` where none is named. */
export function readAssignments(words: readonly string[]): SettingGroups {
  const groups: Record<'env' | 'openai', Record<string, string>> = { env: {}, openai: {} };
  for (const word of words) {
    const [, group = 'env', key, value] = /^(?:(env|openai)\.)?(\w+)=(.*)$/s.exec(word) ?? [];
    if (key === undefined || value === undefined || (group !== 'env' && group !== 'openai'))
      throw new UsageError(`--set ${word} is not a setting. Write it like --set env.max_agent_turns=5 or --set openai.model_name=MODEL.`);
    groups[group][key] = value;
  }
  return groups;
}
