import type { Env } from '../../../base/env.ts';
import { isObject } from '../../../base/json.ts';
import { findNearest } from '../../../base/text.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import type { AccountSettings, PlatformKind } from '../../../contracts/platform-adapter.ts';
import type { SliceValues } from '../../../contracts/settings.ts';
import type { AccessSettings } from '../access/access.ts';
import { describeAccessProblems, readAccess, readEverywhere, readToolPolicy } from './account-access.ts';
import { applyVariables } from './account-variables.ts';
import { readAccountDisplay, type AccountDisplaySettings } from './account-display.ts';
import { MAIN_ACCOUNT, type GatewayAccount, type HomeChannel } from './account.ts';
import { readTimeZone } from './time-zone.ts';
import type { gatewaySettings } from '../settings.ts';
import { createTableReader, type TableReader } from './table-reader.ts';

export type GatewaySettings = SliceValues<typeof gatewaySettings> & AccountDisplaySettings;
export interface AccountsReading {
  readonly accounts: readonly GatewayAccount[];
  /** What is wrong and belongs to no account. */
  readonly problems: readonly string[];
}

/** Keys of a platform, and of an account of it. */
const KEYS = `
  enabled token api_key extra accounts home_channel home_channel_name home_channel_thread_id reply_to_mode typing_indicator reactions
  owners allow_admin_from allowed_users allow_all_users allowed_roles allow_bots group_allowed_chats group_allowed_users
  unauthorized_dm_behavior toolsets tools user_allowed_commands`
  .trim()
  .split(/\s+/);

/** Every account that something is written about, in the file or in variables, which win over it. */
export function readAccounts(settings: GatewaySettings, env: Env, kinds: readonly PlatformKind[]): AccountsReading {
  const problems: string[] = [];
  const ids = kinds.map(({ id }) => id);
  for (const name of Object.keys(settings.platforms).filter((each) => !ids.includes(each))) {
    const nearest = findNearest(name, ids);
    problems.push(`platforms.${name}: there is no platform of this name${nearest === undefined ? '' : `; did you mean ${nearest}?`}`);
  }
  const { problem } = readTimeZone(settings);
  if (problem !== undefined) problems.push(problem);
  const everywhere = readEverywhere(settings, env);
  const accounts = kinds.flatMap((kind) => readPlatform(kind, { settings, env, everywhere }));
  return { accounts, problems };
}

interface AccountReadOptions {
  readonly settings: GatewaySettings;
  readonly env: Env;
  readonly everywhere: AccessSettings['everywhere'];
}

function readPlatform(kind: PlatformKind, options: AccountReadOptions): readonly GatewayAccount[] {
  const problems: string[] = [];
  const file = createTableReader(options.settings.platforms, 'platforms', (problem) => problems.push(problem)).table(kind.id);
  const { accounts, ...whole } = applyVariables(file, kind, options.env);
  const shared = createTableReader({ ...whole, accounts }, `platforms.${kind.id}`, (problem) => problems.push(problem));
  const named = shared.below('accounts');
  const main = readAccount(kind, MAIN_ACCOUNT, overlay(whole, named.table(MAIN_ACCOUNT)), options);
  const others = named.keys().filter((name) => name !== MAIN_ACCOUNT);
  const rest = others.map((name) => readAccount(kind, name, overlay(withoutOwn(whole, kind), named.table(name)), options));
  const first = { ...main, problems: [...new Set([...problems, ...main.problems])] };
  const isOff = shared.flag('enabled') === false;
  return [
    ...(first.enabled || first.problems.length > 0 || 'enabled' in whole ? [first] : []),
    ...rest.map((account) => (isOff ? { ...account, enabled: false } : account)),
  ];
}

/** What an account says of itself wins over what the platform says. A variable names a platform and cannot know its accounts. */
const overlay = (below: JsonObject, above: JsonObject): JsonObject =>
  'extra' in above ? { ...below, ...above, extra: { ...tableAt(below, 'extra'), ...tableAt(above, 'extra') } } : { ...below, ...above };
const tableAt = (table: JsonObject, key: string): JsonObject => {
  const value = table[key];
  return isObject(value) ? value : {};
};

/** Credentials and the home channel are one account's alone. */
function withoutOwn(table: JsonObject, kind: PlatformKind): JsonObject {
  const own = new Set(['enabled', 'home_channel', 'home_channel_name', 'home_channel_thread_id', ...listSecretNames(kind)]);
  const keep = ([key]: readonly [string, unknown]): boolean => !own.has(key);
  const rest = Object.fromEntries(Object.entries(table).filter(keep));
  return { ...rest, extra: Object.fromEntries(Object.entries(tableAt(table, 'extra')).filter(keep)) };
}

function readAccount(kind: PlatformKind, account: string, table: JsonObject, options: AccountReadOptions): GatewayAccount {
  const problems = new Set<string>();
  const tell = (problem: string): void => void problems.add(problem);
  const path = `platforms.${kind.id}${account === MAIN_ACCOUNT ? '' : `.accounts.${account}`}`;
  const read = createTableReader(table, path, tell);
  read.refuseOthers([...KEYS, ...listSecretNames(kind)]);
  const settings = readAdapterSettings(kind, table, read);
  const why = kind.check(settings);
  const isConfigured = Object.keys(settings.secrets).length > 0 || (why === undefined && Object.keys(settings.extra).length > 0);
  const enabled = read.flag('enabled') ?? isConfigured;
  if (enabled && why !== undefined) tell(why);
  const access = readAccess(kind, read, options);
  if (enabled) describeAccessProblems(kind, path, access).forEach(tell);
  const homeChannel = readHomeChannel(read, tell);
  return {
    platform: kind.id,
    account,
    kind,
    enabled,
    settings,
    access,
    tools: readToolPolicy(kind, read),
    guestCommands: (read.list('user_allowed_commands') ?? []).map((name) => name.replace(/^\//, '').toLowerCase()),
    ...(homeChannel !== undefined && { homeChannel }),
    display: readAccountDisplay(kind, read, options, tell),
    problems: [...problems],
  };
}

const listSecretNames = ({ variables }: PlatformKind): readonly string[] => [
  'token',
  'api_key',
  ...Object.values(variables).flatMap(({ to, secret }) => (secret === true ? [to.replace(/^extra\./, '')] : [])),
];

/** Secrets may stand below `extra` too, as other versions have them; the adapter finds everything in one place. */
function readAdapterSettings(kind: PlatformKind, table: JsonObject, read: TableReader): AccountSettings {
  const names = new Set(listSecretNames(kind));
  const extra = read.table('extra');
  const secrets = [...names].flatMap((name) => {
    const value = table[name] ?? extra[name];
    return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()] as const] : [];
  });
  const replyTo = table['reply_to_mode'];
  return {
    secrets: Object.fromEntries(secrets),
    extra: {
      ...(replyTo !== undefined && { reply_to_mode: replyTo === false ? 'off' : replyTo }),
      ...Object.fromEntries(Object.entries(extra).filter(([key]) => !names.has(key))),
    },
  };
}

/** A chat, or a table with its name and thread; these may also stand beside it, as variables put them. */
function readHomeChannel(read: TableReader, tell: (problem: string) => void): HomeChannel | undefined {
  const home = read.isTable('home_channel') ? read.below('home_channel') : undefined;
  const chatId = home === undefined ? read.text('home_channel') : home.text('chat_id');
  if (home !== undefined && chatId === undefined) tell(`${read.path}.home_channel has no chat_id.`);
  if (chatId === undefined || chatId === '') return undefined;
  const threadId = read.text('home_channel_thread_id') ?? home?.text('thread_id');
  const name = read.text('home_channel_name') ?? home?.text('name');
  return { chatId, ...(threadId !== undefined && { threadId }), ...(name !== undefined && { name }) };
}
