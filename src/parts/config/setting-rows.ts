import type { Env } from '../../base/env.ts';
import { secretsIn, maskValue } from '../../base/secret-names.ts';
import type { DeclaredSetting, SettingState } from '../../contracts/services/configuration.ts';
import type { Field } from '../../contracts/settings.ts';
import type { Fields, ConfigReading } from './config.ts';
import { rangeOf } from './read-value.ts';

export const declaredSettings = (fields: Fields): DeclaredSetting[] => [...fields].map(([key, field]) => declared(key, field));

function declared(key: string, field: Field): DeclaredSetting {
  return {
    key,
    field,
    type: rangeOf(field),
    default: field.default,
    source: field.source,
    describe: field.describe,
    ...(field.env !== undefined && { env: field.env }),
    ...(field.flag !== undefined && { flag: field.flag }),
  };
}

export function standingSettings(fields: Fields, reading: ConfigReading, path: string, env: Env): SettingState[] {
  const secrets = secretsIn(env);
  return declaredSettings(fields).map((setting) => {
    const source = reading.sources[setting.key];
    const from = source === 'file' || source === 'env' ? source : 'default';
    return { ...setting, value: maskValue(reading.values[setting.key], secrets), from, place: placeOf(setting, from, reading, path) };
  });
}

function placeOf({ key, env = '' }: DeclaredSetting, from: SettingState['from'], { lines }: ConfigReading, path: string): string {
  if (from === 'env') return env;
  return from === 'file' ? `${path}:${lines.get(key) ?? 1}` : 'the default';
}
