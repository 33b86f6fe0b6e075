import type { Env } from '../../../base/env.ts';
import { isObject } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import type { PlatformKind, PlatformVariable } from '../../../contracts/platform-adapter.ts';
import { isTruthy } from '../../../contracts/platform-settings.ts';

/** Variables that every platform has, behind its name: `TELEGRAM_ALLOWED_USERS`. */
const EVERY_PLATFORM: Readonly<Record<string, Pick<PlatformVariable, 'to' | 'kind'>>> = {
  ALLOWED_USERS: { to: 'allowed_users', kind: 'list' },
  ALLOW_ALL_USERS: { to: 'allow_all_users', kind: 'flag' },
  ALLOWED_ROLES: { to: 'allowed_roles', kind: 'list' },
  GROUP_ALLOWED_USERS: { to: 'group_allowed_users', kind: 'list' },
  GROUP_ALLOWED_CHATS: { to: 'group_allowed_chats', kind: 'list' },
  ALLOW_BOTS: { to: 'allow_bots', kind: 'text' },
  OWNERS: { to: 'owners', kind: 'list' },
  HOME_CHANNEL: { to: 'home_channel', kind: 'text' },
  HOME_CHANNEL_NAME: { to: 'home_channel_name', kind: 'text' },
  HOME_CHANNEL_THREAD_ID: { to: 'home_channel_thread_id', kind: 'text' },
  REACTIONS: { to: 'reactions', kind: 'flag' },
  REPLY_TO_MODE: { to: 'extra.reply_to_mode', kind: 'text' },
};

/** The table of a platform with what variables say of it, which wins. A platform's own variables win over those that all have. */
export function applyVariables(table: JsonObject, kind: PlatformKind, env: Env): JsonObject {
  const prefix = kind.id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
  const general = Object.entries(EVERY_PLATFORM).map(([name, variable]) => [`${prefix}_${name}`, variable] as const);
  let filled = table;
  for (const [name, { to, kind: type }] of [...general, ...Object.entries(kind.variables)]) {
    const value = env[name]?.trim();
    if (value !== undefined && value !== '') filled = put(filled, to.split('.'), readVariable(value, type));
  }
  return filled;
}

function readVariable(value: string, kind: PlatformVariable['kind']): Json {
  if (kind === 'flag') return isTruthy(value);
  if (kind === 'list') return value.split(',').flatMap((part) => part.trim() || []);
  // What is no number stays as it was written, for whoever reads it to refuse.
  return kind === 'number' && Number.isFinite(Number(value)) ? Number(value) : value;
}

function put(table: JsonObject, [key = '', ...rest]: readonly string[], value: Json): JsonObject {
  if (rest.length === 0) return { ...table, [key]: value };
  const below = table[key];
  return { ...table, [key]: put(isObject(below) ? below : {}, rest, value) };
}
