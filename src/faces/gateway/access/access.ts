import type { Chat, Sender } from '../../../contracts/platform-adapter.ts';

/** Who may speak to one account, by ids alone: names can be chosen by anybody. `*` in a list means everybody. */
export interface AccessSettings {
  readonly allowAll: boolean;
  readonly allowedUsers: readonly string[];
  /** Roles a service vouches for. */
  readonly allowedRoles: readonly string[];
  /** Groups in which everybody may speak. */
  readonly groupAllowedChats: readonly string[];
  /** People who may speak in groups, and not in private. */
  readonly groupAllowedUsers: readonly string[];
  readonly allowBots: 'none' | 'mentions' | 'all';
  readonly owners: readonly string[];
  /** On every platform. */
  readonly everywhere: { readonly allowAll: boolean; readonly allowedUsers: readonly string[] };
  /** What an unknown person gets who writes in private. */
  readonly strangers: 'pair' | 'ignore';
}

/** What access goes by. */
export interface AccessFacts {
  readonly chat: Pick<Chat, 'type' | 'chatId' | 'parentId'>;
  readonly sender: Pick<Sender, 'id' | 'isBot' | 'isUnverified' | 'otherIds' | 'roles'>;
  readonly isAddressed: boolean;
  /** How many bots in a row have spoken to us in this chat, this one included. */
  readonly botChain: number;
}

/** The rule that decided. */
export type AccessLayer =
  | 'signature'
  | 'bots'
  | 'bot_chain'
  | 'unverified'
  | 'chat'
  | 'no_id'
  | 'allow_all'
  | 'allow_list'
  | 'pairing'
  | 'global_allow_all'
  | 'default';
export type AccessDecision =
  | { readonly allowed: true; readonly role: 'owner' | 'guest'; readonly by: AccessLayer }
  | { readonly allowed: false; readonly role: 'stranger'; readonly by: AccessLayer };

/** Two bots that answer each other never stop by themselves; so many answers are enough for a task that one gives the other. */
export const MAX_BOT_CHAIN = 5;
/** How long the chain of bots is with this sender. A person breaks it. */
export const countBotChain = (before: number, { isBot }: Pick<Sender, 'isBot'>): number => (isBot ? before + 1 : 0);

/**
 * Whether somebody may speak. Bots first, since no list of people is meant for them; then groups in which everybody may; then five layers
 * in order: everybody on this platform, the list, pairing, everybody everywhere, and nobody.
 */
export function authorise(facts: AccessFacts, access: AccessSettings, isPaired: (id: string) => boolean): AccessDecision {
  const { chat, sender } = facts;
  if (sender.isBot) return authoriseBot(facts, access);
  if (sender.isUnverified === true) return authoriseUnverified(access);
  const ids = [sender.id, ...(sender.otherIds ?? [])].filter((id) => id !== '');
  const role = ids.some((id) => access.owners.includes(id)) ? 'owner' : 'guest';
  const allow = (by: AccessLayer): AccessDecision => ({ allowed: true, role, by });
  const isGroup = chat.type !== 'private';
  if (isGroup && [chat.chatId, chat.parentId].some((id) => isListed(id, access.groupAllowedChats))) return allow('chat');
  if (ids.length === 0) return deny('no_id');
  if (access.allowAll) return allow('allow_all');
  if (role === 'owner' || ids.some((id) => isListed(id, listUsers(access, isGroup)))) return allow('allow_list');
  if (sender.roles?.some((id) => access.allowedRoles.includes(id)) === true) return allow('allow_list');
  if (ids.some(isPaired)) return allow('pairing');
  return access.everywhere.allowAll ? allow('global_allow_all') : deny('default');
}

function authoriseBot({ isAddressed, botChain }: AccessFacts, { allowBots }: AccessSettings): AccessDecision {
  if (allowBots === 'none' || (allowBots === 'mentions' && !isAddressed)) return deny('bots');
  // Never the owner: what a bot says was written by whoever feeds it.
  return botChain > MAX_BOT_CHAIN ? deny('bot_chain') : { allowed: true, role: 'guest', by: 'bots' };
}

/** Whoever chooses an id may come in where everybody may, and is nobody in particular there. */
function authoriseUnverified({ allowAll, allowedUsers, everywhere }: AccessSettings): AccessDecision {
  const isOpen = [allowAll, everywhere.allowAll, allowedUsers.includes('*'), everywhere.allowedUsers.includes('*')].some(Boolean);
  return isOpen ? { allowed: true, role: 'guest', by: 'allow_all' } : deny('unverified');
}

const deny = (by: AccessLayer): AccessDecision => ({ allowed: false, role: 'stranger', by });
const isListed = (id: string | undefined, list: readonly string[]): boolean =>
  id !== undefined && (list.includes(id) || list.includes('*'));
const listUsers = ({ allowedUsers, groupAllowedUsers, everywhere }: AccessSettings, isGroup: boolean): readonly string[] => [
  ...allowedUsers,
  ...everywhere.allowedUsers,
  ...(isGroup ? groupAllowedUsers : []),
];

/** Those who may write in private and are named; whoever may because everybody may is not known before. */
export const listNamed = ({ owners, allowedUsers, everywhere }: AccessSettings): readonly string[] =>
  [...new Set([...owners, ...allowedUsers, ...everywhere.allowedUsers])].filter((id) => id !== '*');

/** Without a word about owners, a list with one person in it says who that is. */
export function selectOwners(owners: readonly string[] | undefined, allowedUsers: readonly string[]): readonly string[] {
  if (owners !== undefined) return owners.filter((id) => id !== '*');
  const [only, ...others] = new Set(allowedUsers);
  return only === undefined || only === '*' || others.length > 0 ? [] : [only];
}

/** Whether the owner alone reads a chat: only there stand the owner's memory and what is the owner's to see. */
export const isOwnersChat = ({ type }: Pick<Chat, 'type'>, role: 'owner' | 'guest'): boolean => type === 'private' && role === 'owner';

/** Toolsets by where a session is held and with whom. */
export interface ToolPolicy {
  /** Of the owner's own chats; absent: what the platform has. */
  readonly toolsets?: readonly string[];
  /** Of chats that others read. */
  readonly guests: readonly string[];
  readonly chats: ReadonlyMap<string, readonly string[]>;
  /** In private chats: a group is one session for all its people. */
  readonly users: ReadonlyMap<string, readonly string[]>;
}

/** The toolsets of a session: those of the person, in private; else those of the chat; else by who reads it. `undefined`: what the platform has. */
export function selectToolsets(
  { toolsets, guests, chats, users }: ToolPolicy,
  chat: Pick<Chat, 'type' | 'chatId' | 'parentId'>,
  sender: Pick<Sender, 'id' | 'otherIds'>,
  role: 'owner' | 'guest',
): readonly string[] | undefined {
  const ids = chat.type === 'private' ? [sender.id, ...(sender.otherIds ?? [])] : [];
  const named = [...ids.map((id) => users.get(id)), chats.get(chat.chatId), chats.get(chat.parentId ?? '')];
  return named.find((sets) => sets !== undefined) ?? (isOwnersChat(chat, role) ? toolsets : guests);
}
