import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../../base/errors.ts';
import { isObject, parseJson, readStringAt } from '../../base/json.ts';
import type { AccountRef, GatewayStore } from '../../contracts/gateway-store.ts';
import type { Chat } from '../../contracts/platform-adapter.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { GatewayAccount } from './accounts.ts';
import type { RunningAccount } from './contract.ts';
import { nameTarget, type DirectoryChat } from './targets.ts';

export interface DirectoryDeps {
  readonly store: Pick<SessionStore, 'fact'> & { readonly gateway: Pick<GatewayStore, 'routes'> };
  readonly accounts: readonly Pick<GatewayAccount, 'platform' | 'account' | 'homeChannel'>[];
  /** The profile's folder, which may have a `channel_aliases.json`. */
  readonly root: string;
}

/** Names of the owner's own: `{"telegram": {"family": "-100123", "alerts": "-100123:7"}}`. */
const ALIASES = 'channel_aliases.json';
const seenKey = ({ platform, account }: AccountRef): string => `chats:${platform}:${account}`;
const LIST_MS = 20_000;
/** More than anybody names; a bot may be in thousands. */
const MAX_SEEN = 2_000;

/**
 * Every chat that is known: home channels, aliases of the owner's, chats somebody wrote in, and those a service said it has. A
 * chat may have several names.
 */
export async function readDirectory({ store, accounts, root }: DirectoryDeps): Promise<readonly DirectoryChat[]> {
  const routes = await store.gateway.routes({});
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
  const known = [...routes.map(({ target, chat }) => toEntry(target, chat)), ...seen.flat()];
  return distinct([...homes, ...readAliases(root, known), ...known]);
}

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
const CHAT_TYPES = ['private', 'group', 'channel', 'thread'] as const;
const distinct = (chats: readonly DirectoryChat[]): readonly DirectoryChat[] => {
  const kept = new Map<string, DirectoryChat>();
  for (const chat of chats) {
    const key = `${nameTarget(chat.target)} ${chat.name ?? ''}`;
    kept.set(key, { ...chat, ...kept.get(key) });
  }
  return [...kept.values()];
};

function readAliases(root: string, known: readonly DirectoryChat[]): readonly DirectoryChat[] {
  const file = join(root, ALIASES);
  const text = readIfThere(file);
  if (text === undefined) return [];
  const table = parseJson(text);
  if (!isObject(table)) throw new Error(`${file} is not JSON. It has names of chats: {"telegram": {"family": "-100123"}}`);
  return Object.entries(table).flatMap(([platform, names]) =>
    Object.entries(isObject(names) ? names : {}).flatMap(([name, place]) =>
      typeof place === 'string' || typeof place === 'number' ? [toAlias(platform, name, String(place), known)] : [],
    ),
  );
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
