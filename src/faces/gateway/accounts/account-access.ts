import type { Env } from '../../../base/env.ts';
import type { PlatformKind } from '../../../contracts/platform-adapter.ts';
import type { SliceValues } from '../../../contracts/settings.ts';
import { selectOwners, type AccessSettings, type ToolPolicy } from '../access/access.ts';
import type { gatewaySettings } from '../settings.ts';
import type { TableReader } from './table-reader.ts';
import { isTruthy } from '../../../contracts/platform-settings.ts';

type AccessKey = 'gateway.allow_all_users' | 'gateway.allowed_users' | 'unauthorized_dm_behavior';
type EverywhereSettings = Pick<SliceValues<typeof gatewaySettings>, AccessKey>;

/** Who may speak on every platform. */
export function readEverywhere(settings: EverywhereSettings, env: Env): AccessSettings['everywhere'] {
  const [all, users] = ['GATEWAY_ALLOW_ALL_USERS', 'GATEWAY_ALLOWED_USERS'].map((name) => env[name]?.trim() || undefined);
  return {
    allowAll: all === undefined ? settings['gateway.allow_all_users'] : isTruthy(all),
    allowedUsers: users === undefined ? settings['gateway.allowed_users'] : users.split(',').flatMap((id) => id.trim() || []),
  };
}

/** Anybody can write a mail: a code in answer to each would be a machine for spam. */
const NEVER_ASKED_TO_PAIR: ReadonlySet<string> = new Set(['email']);

export function readAccess(
  { id, toId = (written) => written }: Pick<PlatformKind, 'id' | 'toId'>,
  read: TableReader,
  { settings, everywhere }: { readonly settings: EverywhereSettings; readonly everywhere: AccessSettings['everywhere'] },
): AccessSettings {
  const allowedUsers = (read.list('allowed_users') ?? []).map(toId);
  const allowedRoles = read.list('allowed_roles') ?? [];
  const named = (read.list('owners') ?? read.list('allow_admin_from'))?.map(toId);
  // A list of the owner alone keeps nobody out who wants to be let in.
  const others = [...allowedUsers, ...everywhere.allowedUsers.map(toId)].filter((user) => named?.includes(user) !== true);
  const hasList = others.length > 0 || allowedRoles.length > 0;
  const wanted = read.choice('unauthorized_dm_behavior', ['auto', 'pair', 'ignore']) ?? settings.unauthorized_dm_behavior;
  return {
    allowAll: read.flag('allow_all_users') ?? false,
    allowedUsers,
    allowedRoles,
    groupAllowedChats: read.list('group_allowed_chats') ?? [],
    groupAllowedUsers: read.list('group_allowed_users') ?? [],
    allowBots: read.choice('allow_bots', ['none', 'mentions', 'all']) ?? 'none',
    owners: selectOwners(named, allowedUsers),
    everywhere: { ...everywhere, allowedUsers: everywhere.allowedUsers.map(toId) },
    strangers: wanted !== 'auto' ? wanted : hasList || NEVER_ASKED_TO_PAIR.has(id) ? 'ignore' : 'pair',
  };
}

/** What an owner would rather know before somebody writes. */
export function describeAccessProblems(
  { id, label, traits, userIds }: Pick<PlatformKind, 'id' | 'label' | 'traits' | 'userIds'>,
  path: string,
  access: AccessSettings,
): readonly string[] {
  if (traits.isMachine === true) return [];
  const { allowAll, allowedUsers, allowedRoles, everywhere, groupAllowedChats, owners, strangers } = access;
  const isOpen = allowAll || everywhere.allowAll;
  const lists = [allowedUsers, allowedRoles, everywhere.allowedUsers, groupAllowedChats, owners];
  if (!isOpen && strangers === 'ignore' && lists.every((list) => list.length === 0))
    return [`Nobody may speak to the agent on ${label}: name user ids in ${path}.allowed_users, or set unauthorized_dm_behavior to pair.`];
  const setUp = `hermes gateway setup --platform ${id} --owner YOUR_ID`;
  // Setup knows the main account alone.
  const cure = path === `platforms.${id}` ? `run ${setUp}` : `name your user id in ${path}.owners`;
  if (owners.length === 0) return [`${label} has no owner, so nobody there can approve what the agent asks: ${cure}.`];
  return owners
    .filter((owner) => userIds !== undefined && !userIds.shape.test(owner))
    .map((owner) => `${path}.owners names "${owner}", which is no user id on ${label}. It is ${userIds?.describe ?? ''}: ${cure}.`);
}

/** What others may work with unless the owner says so: nothing that reads or changes what is kept between sessions. */
const GUEST_TOOLSETS: readonly string[] = ['hermes-guest'];

export function readToolPolicy({ id: platform, traits }: Pick<PlatformKind, 'id' | 'traits'>, read: TableReader): ToolPolicy {
  const tools = read.below('tools');
  tools.refuseOthers(['guests', 'chats', 'users']);
  const byId = (rows: TableReader): ToolPolicy['chats'] => new Map(rows.keys().map((id) => [id, rows.list(id) ?? []]));
  const toolsets = read.list('toolsets');
  return {
    ...(toolsets !== undefined && { toolsets }),
    guests: tools.list('guests') ?? (traits.isMachine === true ? (toolsets ?? [`hermes-${platform}`]) : GUEST_TOOLSETS),
    chats: byId(tools.below('chats')),
    users: byId(tools.below('users')),
  };
}
