import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../../../base/errors.ts';
import { isObject, parseJson, readStringAt } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import type { AccountRef, GatewayStore, Route } from '../../../contracts/gateway-store.ts';
import type { Chat } from '../../../contracts/platform-adapter.ts';
import type { SessionStore } from '../../../contracts/session-store.ts';
import type { GatewayAccount, RunningAccount } from '../accounts/account.ts';
import { findChatRoutes } from '../addresses/find-routes.ts';
import { CHAT_TYPES } from '../addresses/session-key.ts';
import { isSameAccount } from '../contract.ts';
import { nameTarget, splitTarget, type DirectoryChat } from '../addresses/targets.ts';

export interface DirectoryDeps {
  readonly store: Pick<SessionStore, 'fact'> & { readonly gateway: Pick<GatewayStore, 'routes'> };
  readonly accounts: readonly (Pick<GatewayAccount, 'platform' | 'account' | 'homeChannel' | 'moved'> &
    Partial<Pick<GatewayAccount, 'kind' | 'settings'>>)[];
  /** The profile's folder, which may have a `channel_aliases.json`. */
  readonly root: string;
}

/** Names of the owner's own: `{"telegram": {"family": "-100123", "alerts": "-100123:7"}}`. */
export const CHANNEL_ALIASES = 'channel_aliases.json';
const seenKey = ({ platform, account }: AccountRef): string => `chats:${platform}:${account}`;
const LIST_MS = 20_000;
/** More than anybody names; a bot may be in thousands. */
const MAX_SEEN = 2_000;

/** Chats somebody wrote in that are looked at for a name: the latest. Others are found by their ids. */
const MAX_KNOWN = 2_000;

/**
 * The chats that are known: home channels, aliases of the owner's, chats somebody wrote in, and those a service said it has. A
 * chat may have several names. Given a target as it is typed, those that it can mean.
 */
export async function readDirectory({ store, accounts, root }: DirectoryDeps, wanted = ''): Promise<readonly DirectoryChat[]> {
  const routes = await readRoutes(wanted, store.gateway, accounts);
  const seen = await Promise.all(
    accounts.map(async (account) => {
      const chats = parseJson((await store.fact(seenKey(account))) ?? '[]');
      return (Array.isArray(chats) ? chats : []).flatMap((chat) => readSeen(account, chat));
    }),
  );
  const homes = accounts.flatMap(({ platform, account, homeChannel }): DirectoryChat[] => {
    if (homeChannel === undefined) return [];
    const { name, ...place } = homeChannel;
    return [{ target: { platform, account, ...place }, ...(name !== undefined && { name }), isHome: true }];
  });
  const named = accounts.flatMap((account) => listTargets(account, root));
  const known = [...routes.map(({ target, chat }) => toEntry(target, chat)), ...named, ...seen.flat()];
  const aliases = readAliases(root, known).map((chat) => followAlias(chat, accounts));
  return distinct([...homes, ...aliases, ...known]);
}

/** What is named by its id needs no others. A thread stands behind its chat and a colon, and ids may have colons of their own. */
async function readRoutes(
  wanted: string,
  store: Pick<GatewayStore, 'routes'>,
  accounts: DirectoryDeps['accounts'],
): Promise<readonly Route[]> {
  const { platform, account: only, place: written } = splitTarget(wanted, accounts);
  if (platform !== '' && written === '') return [];
  const place = written.split(':');
  const ids = place.map((_, at) => place.slice(0, at + 1).join(':'));
  // What a program sent is no place to write to.
  const people = accounts.filter(({ kind }) => kind?.traits.isMachine !== true);
  const found = people
    .filter(({ account, ...each }) => each.platform === platform && (only === undefined || only === account))
    .flatMap((account) => ids.map((chatId) => findChatRoutes(store, { platform: account.platform, account: account.account, chatId })));
  const named = (await Promise.all(found)).flat();
  if (named.length > 0) return named;
  const platforms = [...new Set(people.map((account) => account.platform))].filter((each) => ['', each].includes(platform));
  const latest = platforms.map((each) => store.routes({ platform: each, latestFirst: true, limit: MAX_KNOWN }));
  return (await Promise.all(latest)).flat();
}

const listTargets = ({ kind, settings, ...ref }: DirectoryDeps['accounts'][number], root: string): readonly DirectoryChat[] =>
  settings === undefined ? [] : (kind?.listTargets?.(settings, root) ?? []).map((chat) => toEntry(ref, chat));

const toEntry = ({ platform, account }: AccountRef, { chatId, threadId, type, name }: Chat): DirectoryChat => ({
  target: { platform, account, chatId, ...(threadId !== undefined && { threadId }) },
  type,
  ...(name !== undefined && { name }),
});
function readSeen(account: AccountRef, chat: unknown): DirectoryChat[] {
  const [chatId, threadId, name] = ['chatId', 'threadId', 'name'].map((key) => readStringAt(chat, key));
  const type = CHAT_TYPES.find((each) => each === readStringAt(chat, 'type'));
  if (chatId === undefined || type === undefined) return [];
  return [toEntry(account, { chatId, type, ...(threadId !== undefined && { threadId }), ...(name !== undefined && { name }) })];
}
const distinct = (chats: readonly DirectoryChat[]): readonly DirectoryChat[] => {
  const kept = new Map<string, DirectoryChat>();
  for (const chat of chats) {
    const key = `${nameTarget(chat.target)} ${chat.name ?? ''}`;
    kept.set(key, { ...chat, ...kept.get(key) });
  }
  return [...kept.values()];
};

function readAliases(root: string, known: readonly DirectoryChat[]): readonly DirectoryChat[] {
  return Object.entries(readAliasFile(root) ?? {}).flatMap(([platform, names]) =>
    Object.entries(isObject(names) ? names : {}).flatMap(([name, place]) =>
      typeof place === 'string' || typeof place === 'number' ? [toAlias(platform, name, String(place), known)] : [],
    ),
  );
}

export function readAliasFile(root: string): JsonObject | undefined {
  const file = join(root, CHANNEL_ALIASES);
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  const table = parseJson(text);
  if (!isObject(table)) throw new Error(`${file} is not JSON. It has names of chats: {"telegram": {"family": "-100123"}}`);
  return table;
}

/** A name goes on with the chat it was given to. */
function followAlias(chat: DirectoryChat, accounts: DirectoryDeps['accounts']): DirectoryChat {
  const { target } = chat;
  const moved = accounts.find((account) => isSameAccount(account, target))?.moved ?? [];
  const to = moved.find(({ from }) => from === target.chatId)?.to;
  return to === undefined ? chat : { ...chat, target: { ...target, chatId: to } };
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function toAlias(platform: string, name: string, place: string, known: readonly DirectoryChat[]): DirectoryChat {
  const whole = known.find(({ target }) => target.platform === platform && target.chatId === place);
  const colon = whole === undefined && !place.startsWith('!') ? place.indexOf(':') : -1;
  const chatId = colon === -1 ? place : place.slice(0, colon);
  const account = (whole ?? known.find(({ target }) => target.platform === platform && target.chatId === chatId))?.target.account ?? 'main';
  return { target: { platform, account, chatId, ...(colon !== -1 && { threadId: place.slice(colon + 1) }) }, name };
}

/** Asks the services for the chats they have, and keeps what they say. One that does not answer keeps what it said before. */
export async function refreshDirectory(accounts: readonly RunningAccount[], store: Pick<SessionStore, 'learn'>): Promise<void> {
  await Promise.all(
    accounts.map(async ({ ref, sender }) => {
      const chats = (await sender.listChats?.(AbortSignal.timeout(LIST_MS)).catch(() => undefined)) ?? [];
      if (chats.length > 0) await store.learn(seenKey(ref), JSON.stringify(chats.slice(0, MAX_SEEN)));
    }),
  );
}
