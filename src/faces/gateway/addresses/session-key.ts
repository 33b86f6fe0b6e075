import type { AccountRef } from '../../../contracts/gateway-store.ts';
import type { Chat, ChatType, Sender } from '../../../contracts/platform-adapter.ts';

/** What a key is made of. */
export interface SessionKeyParts extends AccountRef {
  readonly type: ChatType;
  readonly chatId: string;
  readonly threadId?: string;
  /** In place of a chat, where a service has only people. */
  readonly senderId?: string;
}

/**
 * The one place that makes keys: `agent:{account}:{platform}:{chat type}:{chat id}`, with the thread behind the chat and a
 * slash. Two different chats never share one, whatever their ids are made of. A group is one session, so a sender counts only
 * where there is no chat id: strangers must not meet in one session.
 */
export function buildSessionKey(
  { platform, account }: AccountRef,
  { type, chatId, threadId }: Pick<Chat, 'type' | 'chatId' | 'threadId'>,
  sender?: Pick<Sender, 'id'>,
): string {
  const chat = chatId === '' && sender !== undefined ? `${OF_SENDER}${escapeId(sender.id)}` : escapeId(chatId);
  const place = threadId === undefined ? chat : `${chat}/${escapeId(threadId)}`;
  return ['agent', escapeId(account), escapeId(platform), type, place].join(':');
}

/** What a key says, for people to read; `undefined` for what is no key. */
export function parseSessionKey(key: string): SessionKeyParts | undefined {
  const [agent, account, platform, type, place, ...more] = key.split(':');
  if (agent !== 'agent' || account === undefined || platform === undefined || place === undefined || more.length > 0) return undefined;
  if (!isChatType(type)) return undefined;
  const [chat = '', thread, ...deeper] = place.split('/');
  if (deeper.length > 0) return undefined;
  return {
    account: unescapeId(account),
    platform: unescapeId(platform),
    type,
    ...(chat.startsWith(OF_SENDER) ? { chatId: '', senderId: unescapeId(chat.slice(1)) } : { chatId: unescapeId(chat) }),
    ...(thread !== undefined && { threadId: unescapeId(thread) }),
  };
}

/** Every key that a chat of this id can have; those of its threads begin with one of them. */
export const listChatKeys = (account: AccountRef, chatId: string): readonly string[] =>
  CHAT_TYPES.map((type) => buildSessionKey(account, { type, chatId }));

const OF_SENDER = '~';
export const CHAT_TYPES = ['private', 'group', 'channel', 'thread'] as const satisfies readonly ChatType[];
const isChatType = (word: string | undefined): word is ChatType => CHAT_TYPES.some((type) => type === word);

/** What separates, what escapes, and what cannot be seen or stored as it is: half a surrogate pair would come back as another sign. */
const escapeId = (id: string): string =>
  id.replaceAll(/[%:/~\p{C}\p{Z}]/gu, (sign) => Array.from({ length: sign.length }, (_, at) => escapeUnit(sign.charCodeAt(at))).join(''));
const escapeUnit = (unit: number): string =>
  unit < 0x100 ? `%${unit.toString(16).toUpperCase().padStart(2, '0')}` : `%u${unit.toString(16).toUpperCase().padStart(4, '0')}`;
const unescapeId = (text: string): string =>
  text.replaceAll(/%(?:u([\dA-F]{4})|([\dA-F]{2}))/g, (_all, wide: string | undefined, narrow = '') =>
    String.fromCharCode(Number.parseInt(wide ?? narrow, 16)),
  );
