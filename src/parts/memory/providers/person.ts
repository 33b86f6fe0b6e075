import { sha256 } from '../../../base/sha256.ts';
import type { MemoryScope } from '../../../contracts/memory-provider.ts';

/** Whose memory it is, as far as a scope tells. */
export type PersonScope = Pick<MemoryScope, 'platform' | 'userId' | 'chatId' | 'isGroup' | 'isOwner' | 'sessionId'>;

/**
 * The id under which a service keeps what it knows of somebody. The owner has one id on every platform. Everybody else has one
 * for each chat, and a group has one of its own: what somebody said in private is never asked for there, not even for the
 * owner. Two people never share one: what tells them apart is in its hash, the words before it are for whoever looks on.
 */
export function toPersonId(scope: PersonScope, owner: string): string {
  const { platform, userId, chatId, sessionId } = scope;
  if (scope.isGroup === true) return idOf('group', platform, chatId ?? `session ${sessionId}`);
  if (scope.isOwner) return owner;
  if (userId !== undefined) return idOf('user', platform, userId, chatId);
  return chatId === undefined ? idOf('session', platform, sessionId) : idOf('chat', platform, chatId);
}

const idOf = (kind: string, platform: string, id: string, chat = ''): string =>
  `${toPlainId(`${platform}-${kind}-${id}`).slice(0, 40)}-${sha256(JSON.stringify([kind, platform, id, chat])).slice(0, 16)}`;

/** Letters, digits, `_` and `-`: what every service takes as an id. */
export const toPlainId = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+/, '');

/** An id made of another one, whatever is in that: the same for the same, and never the same for two. */
export const toKeyId = (key: string): string => `hermes-${sha256(key).slice(0, 40)}`;
