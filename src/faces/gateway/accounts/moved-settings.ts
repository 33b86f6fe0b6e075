import type { Env } from '../../../base/env.ts';
import { isObject } from '../../../base/json.ts';
import { toVisibleLine } from '../../../base/visible.ts';
import type { Json } from '../../../base/json-types.ts';
import type { MovedChat } from '../../../contracts/gateway-store.ts';
import type { GatewayAccount } from './account.ts';

/** An account whose settings hold for the chats they name wherever those are now. What they say of a new id itself wins. */
export function followMoves(account: GatewayAccount, moved: readonly MovedChat[]): GatewayAccount {
  if (moved.length === 0) return account;
  const { access, tools, homeChannel, settings, kind } = account;
  const where = new Map(moved.map(({ from, to }) => [from, to]));
  const listed = (ids: readonly string[]): readonly string[] => [...new Set([...ids, ...ids.flatMap((id) => where.get(id) ?? [])])];
  const home = homeChannel && { ...homeChannel, chatId: where.get(homeChannel.chatId) ?? homeChannel.chatId };
  const extra = Object.entries(settings.extra).map(
    ([key, value]) => [key, value !== undefined && kind.chatSettings?.includes(key) === true ? withMoved(value, where) : value] as const,
  );
  return {
    ...account,
    moved,
    settings: { ...settings, extra: Object.fromEntries(extra) },
    access: {
      ...access,
      groupAllowedChats: listed(access.groupAllowedChats),
      // Whoever speaks in the name of a chat has its id.
      allowedUsers: listed(access.allowedUsers),
      groupAllowedUsers: listed(access.groupAllowedUsers),
    },
    tools: { ...tools, chats: new Map([...[...tools.chats].flatMap(([id, sets]) => rowAt(where.get(id), sets)), ...tools.chats]) },
    ...(home !== undefined && { homeChannel: home }),
  };
}

const rowAt = <Value>(id: string | undefined, value: Value): (readonly [string, Value])[] => (id === undefined ? [] : [[id, value]]);

/** A list of chats as the adapter reads it: one id, ids between commas, or a list. */
function withMoved(value: Json, where: ReadonlyMap<string, string>): Json {
  const ids = [value].flat().flatMap((each) => (typeof each === 'string' || typeof each === 'number' ? String(each).split(',') : []));
  const added = ids.flatMap((id) => where.get(id.trim()) ?? []);
  return added.length === 0 ? value : [...new Set([...ids.map((id) => id.trim()), ...added])];
}

/** Where settings name a chat: the keys that lead to it. Whatever stands there is looked at, as a value and as a key. */
export function findMentions(settings: unknown, path: string, chatId: string): readonly string[] {
  if (Array.isArray(settings)) return settings.some((item) => isChat(item, chatId)) ? [path] : [];
  if (!isObject(settings)) return isChat(settings, chatId) ? [path] : [];
  return Object.entries(settings).flatMap(([key, value]) =>
    key === chatId ? [`${path}.${key}`] : findMentions(value, `${path}.${key}`, chatId),
  );
}

/** As a list in one text, or with a topic behind it, too. */
const isChat = (value: unknown, chatId: string): boolean =>
  (typeof value === 'string' || typeof value === 'number') &&
  String(value)
    .split(',')
    .some((part) => part.trim() === chatId || part.trim().startsWith(`${chatId}:`));

/** Variables of a platform that name a chat. */
export const findVariables = (env: Env, platform: string, chatId: string): readonly string[] =>
  Object.entries(env).flatMap(([name, value]) => (name.startsWith(`${platform.toUpperCase()}_`) && isChat(value, chatId) ? [name] : []));

/** What the owner is to change, once a chat that settings name has another id. Until then the settings are followed as they were meant. */
export const describeMovedSettings = (
  label: string,
  { from, to }: MovedChat,
  mentions: readonly string[],
  name: string | undefined,
): string =>
  `${name === undefined ? 'A group' : `The group “${toVisibleLine(name)}”`} has a new id on ${label}: ${to} instead of ${from}. ` +
  `I go on with what you set for the old one. To keep it that way, replace ${from} with ${to} in ${mentions.join(', ')}.`;
