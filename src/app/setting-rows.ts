import type { Field } from '../contracts/settings.ts';
import type { DeclaredSetting, StandingSetting } from '../contracts/services/configuration.ts';
import { FIELDS, type Env, type Reading } from './config.ts';
import { rangeOf } from './read-value.ts';
import { secretsIn, shown } from './secret-names.ts';

/** Flags of `hermes chat` that win over a setting. */
const FLAGS: Readonly<Record<string, string>> = {
  'model.default': '-m, --model',
  'model.provider': '--provider',
  'model.base_url': '--base-url',
  'model.api_mode': '--api-mode',
  'agent.max_turns': '--max-turns',
  'terminal.cwd': '--cwd',
  toolsets: '-t, --toolsets',
};

export const declaredSettings = (): DeclaredSetting[] => [...FIELDS].map(([key, field]) => declared(key, field));

function declared(key: string, field: Field): DeclaredSetting {
  const flag = FLAGS[key];
  return {
    key,
    field,
    type: rangeOf(field),
    default: field.default,
    source: field.source,
    describe: field.describe,
    ...(field.env !== undefined && { env: field.env }),
    ...(flag !== undefined && { flag }),
  };
}

export function standingSettings(reading: Reading, path: string, env: Env): StandingSetting[] {
  const secrets = secretsIn(env);
  return declaredSettings().map((setting) => {
    const source = reading.sources[setting.key];
    const from = source === 'file' || source === 'env' ? source : 'default';
    return { ...setting, value: shown(reading.values[setting.key], secrets), from, place: placeOf(setting, from, reading, path) };
  });
}

function placeOf({ key, env = '' }: DeclaredSetting, from: StandingSetting['from'], { lines }: Reading, path: string): string {
  if (from === 'env') return env;
  return from === 'file' ? `${path}:${lines.get(key) ?? 1}` : 'the default';
}
