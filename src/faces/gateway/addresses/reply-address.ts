import type { Json } from '../../../base/json-types.ts';
import { isObject } from '../../../base/json.ts';
import type { ChatType } from '../../../contracts/platform-adapter.ts';
import type { ReplyAddress } from '../contract.ts';
import { parseSessionKey } from './session-key.ts';

/** The address as the inbox keeps it: plain data that only a gateway reads. */
export const writeAddress = (address: ReplyAddress): Json => {
  const { target, ...rest } = address;
  return { ...rest, target: { ...target } };
};

/** What a message that a command leaves for a session has of the chat it was given in. */
export const describePosted = (address: ReplyAddress, key: string) => ({
  replyTo: writeAddress(address),
  key,
  ...(address.sentAt !== undefined && { sentAt: address.sentAt }),
});

/** What kind of chat it leads to; as one that others read where that is not known. */
export const readChatType = ({ routeKey }: Pick<ReplyAddress, 'routeKey'>): ChatType => parseSessionKey(routeKey)?.type ?? 'group';

/** `undefined` for what another face has left there. */
export function readAddress(value: Json | undefined): ReplyAddress | undefined {
  if (!isObject(value)) return undefined;
  const { routeKey, target, senderId, role, messageId, handle, sentAt, label, unasked } = value;
  if (typeof routeKey !== 'string' || typeof senderId !== 'string' || !isObject(target)) return undefined;
  const { platform, account, chatId, threadId } = target;
  if (typeof platform !== 'string' || typeof account !== 'string' || typeof chatId !== 'string') return undefined;
  return {
    routeKey,
    senderId,
    role: role === 'owner' ? 'owner' : 'guest',
    target: { platform, account, chatId, ...(typeof threadId === 'string' && { threadId }) },
    ...(typeof messageId === 'string' && { messageId }),
    ...(handle !== undefined && { handle }),
    ...(typeof sentAt === 'number' && { sentAt }),
    ...(typeof label === 'string' && { label }),
    ...(unasked === true && { unasked }),
  };
}
