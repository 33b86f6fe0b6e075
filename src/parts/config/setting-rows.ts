import type { Env } from '../../base/env.ts';
import { listSecretValues, maskValue } from '../../base/secret-names.ts';
import type { DeclaredSetting, SettingState } from '../../contracts/services/configuration.ts';
import type { SettingField } from '../../contracts/settings.ts';
import type { Fields, ConfigReading } from './config.ts';
import { describeRange } from './read-value.ts';

export const listDeclaredSettings = (fields: Fields): DeclaredSetting[] => [...fields].map(([key, field]) => declared(key, field));

function declared(key: string, field: SettingField): DeclaredSetting {
  return {
    key,
    field,
    type: describeRange(field),
    default: field.default,
    describe: field.describe,
    ...(field.env !== undefined && { env: field.env }),
    ...(field.flag !== undefined && { flag: field.flag }),
  };
}

export function listSettingStates(fields: Fields, reading: ConfigReading, path: string, env: Env): SettingState[] {
  const secrets = listSecretValues(env);
  return listDeclaredSettings(fields).map((setting) => {
    const source = reading.sources[setting.key];
    const from = source === 'file' || source === 'env' ? source : 'default';
    return { ...setting, value: maskValue(reading.values[setting.key], secrets), from, place: placeOf(setting, from, reading, path) };
  });
}

function placeOf({ key, env = '' }: DeclaredSetting, from: SettingState['from'], { lines }: ConfigReading, path: string): string {
  if (from === 'env') return env;
  return from === 'file' ? `${path}:${lines.get(key) ?? 1}` : 'the default';
}
