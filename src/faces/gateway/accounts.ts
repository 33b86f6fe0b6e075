import type { Env } from '../../base/env.ts';
import { isObject } from '../../base/json.ts';
import { findNearest } from '../../base/text.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import type { AccountRef } from '../../contracts/gateway-store.ts';
import type { AccountSettings, ChatPlace, PlatformKind } from '../../contracts/platform-adapter.ts';
import type { SliceValues } from '../../contracts/settings.ts';
import { selectOwners, type AccessSettings, type ToolPolicy } from './access.ts';
import { applyVariables } from './account-variables.ts';
import { readAccountDisplay, type AccountDisplay, type AccountDisplaySettings } from './account-display.ts';
import { readTimeZone } from './reset.ts';
import type { gatewaySettings } from './settings.ts';
import { createTableReader, isTruthy, type TableReader } from './table-reader.ts';

/** One bot at one service, as the settings have it. */
export interface GatewayAccount extends AccountRef {
  readonly kind: PlatformKind;
  /** Whether it is to be connected. One that is off is listed all the same: something was written about it. */
  readonly enabled: boolean;
  /** For its adapter. */
  readonly settings: AccountSettings;
  readonly access: AccessSettings;
  readonly tools: ToolPolicy;
  /** Commands that guests may use there besides those of the table. */
  readonly guestCommands: readonly string[];
  readonly homeChannel?: HomeChannel;
  readonly display: AccountDisplay;
  /** What is wrong with its settings, in words for the owner. */
  readonly problems: readonly string[];
}
/** Where results go that belong to no chat. */
export interface HomeChannel extends ChatPlace {
  readonly name?: string;
}
export type GatewaySettings = SliceValues<typeof gatewaySettings> & AccountDisplaySettings;
export interface AccountsReading {
  readonly accounts: readonly GatewayAccount[];
  /** What is wrong and belongs to no account. */
  readonly problems: readonly string[];
}

/** The account that needs no name. */
export const MAIN_ACCOUNT = 'main';

/** Keys of a platform, and of an account of it. */
const KEYS =
  `enabled token api_key extra home_channel home_channel_name home_channel_thread_id owners allow_admin_from allowed_users allow_all_users allowed_roles allowed_chats allow_bots group_allowed_chats
  group_allowed_users unauthorized_dm_behavior reply_to_mode typing_indicator reactions toolsets tools user_allowed_commands`.split(/\s+/);

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
  const written = options.settings.platforms[kind.id];
  const file: JsonObject = isObject(written) ? written : {};
  const { accounts: named, ...whole } = applyVariables(file, kind, options.env);
  const others: JsonObject = isObject(named) ? named : {};
  const broken = written !== undefined && !isObject(written) ? [`platforms.${kind.id} must be a table.`] : [];
  const main = readAccount(kind, MAIN_ACCOUNT, overlay(whole, others[MAIN_ACCOUNT]), options, broken);
  const shared = withoutOwn(whole, kind);
  return [
    ...(main.enabled || main.problems.length > 0 || 'enabled' in whole ? [main] : []),
    ...Object.entries(others).flatMap(([name, table]) => {
      if (name === MAIN_ACCOUNT) return [];
      const wrong = isObject(table) ? [] : [`platforms.${kind.id}.accounts.${name} must be a table.`];
      const own = readAccount(kind, name, overlay(shared, table), options, wrong);
      return [whole['enabled'] === false ? { ...own, enabled: false } : own];
    }),
  ];
}

/** What an account says of itself wins over what the platform says. A variable names a platform and cannot know its accounts. */
const overlay = (below: JsonObject, above: Json | undefined): JsonObject =>
  isObject(above) ? { ...below, ...above, extra: { ...tableAt(below, 'extra'), ...tableAt(above, 'extra') } } : below;
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

function readAccount(
  kind: PlatformKind,
  account: string,
  table: JsonObject,
  options: AccountReadOptions,
  broken: readonly string[],
): GatewayAccount {
  const problems = [...broken];
  const path = `platforms.${kind.id}${account === MAIN_ACCOUNT ? '' : `.accounts.${account}`}`;
  const read = createTableReader(table, path, (problem) => problems.push(problem));
  read.refuseOthers([...KEYS, ...listSecretNames(kind)]);
  const settings = readAdapterSettings(kind, table, read);
  const why = kind.check(settings);
  const isConfigured = Object.keys(settings.secrets).length > 0 || (why === undefined && Object.keys(settings.extra).length > 0);
  const enabled = read.flag('enabled') ?? isConfigured;
  if (enabled && why !== undefined) problems.push(why);
  const access = readAccess(kind, read, options);
  const homeChannel = readHomeChannel(table, read, path, problems);
  if (enabled) problems.push(...describeAccessProblems(kind, path, access));
  return {
    platform: kind.id,
    account,
    kind,
    enabled,
    settings,
    access,
    tools: readToolPolicy(read, path, problems),
    guestCommands: (read.list('user_allowed_commands') ?? []).map((name) => name.replace(/^\//, '').toLowerCase()),
    ...(homeChannel !== undefined && { homeChannel }),
    display: readAccountDisplay(kind, { read, extra: settings.extra, path }, options, (problem) => problems.push(problem)),
    problems,
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

function readEverywhere(settings: GatewaySettings, env: Env): AccessSettings['everywhere'] {
  const [all, users] = ['GATEWAY_ALLOW_ALL_USERS', 'GATEWAY_ALLOWED_USERS'].map((name) => env[name]?.trim() || undefined);
  return {
    allowAll: all === undefined ? settings['gateway.allow_all_users'] : isTruthy(all),
    allowedUsers: users === undefined ? settings['gateway.allowed_users'] : users.split(',').flatMap((id) => id.trim() || []),
  };
}

/** Anybody can write a mail: a code in answer to each would be a machine for spam. */
const NEVER_ASKED_TO_PAIR: ReadonlySet<string> = new Set(['email']);

function readAccess({ id }: PlatformKind, read: TableReader, { settings, everywhere }: AccountReadOptions): AccessSettings {
  const allowedUsers = read.list('allowed_users') ?? [];
  const allowedRoles = read.list('allowed_roles') ?? [];
  const hasList = [allowedUsers, allowedRoles, everywhere.allowedUsers].some((list) => list.length > 0);
  const wanted = read.choice('unauthorized_dm_behavior', ['auto', 'pair', 'ignore']) ?? settings.unauthorized_dm_behavior;
  return {
    allowAll: read.flag('allow_all_users') ?? false,
    allowedUsers,
    allowedRoles,
    allowedChats: read.list('allowed_chats') ?? [],
    groupAllowedChats: read.list('group_allowed_chats') ?? [],
    groupAllowedUsers: read.list('group_allowed_users') ?? [],
    allowBots: read.choice('allow_bots', ['none', 'mentions', 'all']) ?? 'none',
    owners: selectOwners(read.list('owners') ?? read.list('allow_admin_from'), allowedUsers),
    everywhere,
    strangers: wanted !== 'auto' ? wanted : hasList || NEVER_ASKED_TO_PAIR.has(id) ? 'ignore' : 'pair',
  };
}

function describeAccessProblems({ label }: PlatformKind, path: string, access: AccessSettings): readonly string[] {
  const { allowAll, allowedUsers, allowedRoles, everywhere, groupAllowedChats, owners, strangers } = access;
  const isOpen = allowAll || everywhere.allowAll;
  const lists = [allowedUsers, allowedRoles, everywhere.allowedUsers, groupAllowedChats, owners];
  if (!isOpen && strangers === 'ignore' && lists.every((list) => list.length === 0))
    return [`Nobody may speak to the agent on ${label}: name user ids in ${path}.allowed_users, or set unauthorized_dm_behavior to pair.`];
  return owners.length > 0
    ? []
    : [`${label} has no owner, so nobody there can approve what the agent asks: name your user id in ${path}.owners.`];
}

/** A chat, or a table with its name and thread; these may also stand beside it, as variables put them. */
function readHomeChannel(table: JsonObject, read: TableReader, path: string, problems: string[]): HomeChannel | undefined {
  const isTable = isObject(table['home_channel']);
  const home = createTableReader(tableAt(table, 'home_channel'), `${path}.home_channel`, (problem) => problems.push(problem));
  const chatId = isTable ? home.text('chat_id') : read.text('home_channel');
  const threadId = read.text('home_channel_thread_id') ?? home.text('thread_id');
  const name = read.text('home_channel_name') ?? home.text('name');
  if (isTable && chatId === undefined) problems.push(`${path}.home_channel has no chat_id.`);
  return chatId === undefined || chatId === ''
    ? undefined
    : { chatId, ...(threadId !== undefined && { threadId }), ...(name !== undefined && { name }) };
}

/** What others may work with unless the owner says so: nothing that reads or changes what is kept between sessions. */
const GUEST_TOOLSETS: readonly string[] = ['hermes-guest'];

function readToolPolicy(read: TableReader, path: string, problems: string[]): ToolPolicy {
  const tools = createTableReader(read.table('tools'), `${path}.tools`, (problem) => problems.push(problem));
  tools.refuseOthers(['guests', 'chats', 'users']);
  const byId = (key: string): ReadonlyMap<string, readonly string[]> => {
    const table = tools.table(key);
    const rows = createTableReader(table, `${path}.tools.${key}`, (problem) => problems.push(problem));
    return new Map(
      Object.keys(table)
        .flatMap((id) => [[id, rows.list(id)] as const])
        .flatMap(([id, sets]) => (sets === undefined ? [] : [[id, sets] as const])),
    );
  };
  const toolsets = read.list('toolsets');
  return {
    ...(toolsets !== undefined && { toolsets }),
    guests: tools.list('guests') ?? toolsets ?? GUEST_TOOLSETS,
    chats: byId('chats'),
    users: byId('users'),
  };
}
