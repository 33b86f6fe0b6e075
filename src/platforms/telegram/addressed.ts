import type { Chat, Sender } from '../../contracts/platform-adapter.ts';
import type { MessageEntity } from './entities.ts';
import type { MentionGate } from './settings.ts';

interface GatedMessage {
  readonly chat: Chat;
  readonly sender: Sender;
  readonly source: string;
  readonly entities: readonly MessageEntity[];
  readonly isReplyToUs: boolean;
}
interface OurName {
  readonly id: number;
  readonly username: string;
}

export const isListenedTo = ({ type, chatId, threadId }: Chat, { allowedChats, ignoredThreads }: MentionGate): boolean =>
  (type === 'private' || allowedChats.size === 0 || allowedChats.has(chatId)) && (threadId === undefined || !ignoredThreads.has(threadId));

/** A chat that was named goes on under another id: what was set for it holds there from the next update on. */
export function followMove({ freeChats, allowedChats }: MentionGate, from: string, to: string): void {
  for (const chats of [freeChats, allowedChats]) if (chats.has(from)) chats.add(to);
}

/** Whether a message is meant for us. A private chat always is; a group by its gate. */
export function isAddressed({ chat, sender, source, entities, isReplyToUs }: GatedMessage, me: OurName, gate: MentionGate): boolean {
  if (chat.type === 'private') return true;
  const named = namedBots(source, entities);
  const ours = me.username.toLowerCase();
  if (isReplyToUs || named.has(ours) || entities.some((entity) => isOurMention(source, entity, me))) return true;
  if (gate.patterns.some((pattern) => pattern.test(source))) return true;
  if (gate.isExclusive && named.size > 0) return false;
  const needsMention = gate.isRequired || (gate.areBotsRequired && sender.isBot);
  return !needsMention || gate.freeChats.has(chat.chatId);
}

export const isOurMention = (source: string, { type, offset, end, userId }: MessageEntity, { id, username }: OurName): boolean =>
  type === 'mention' ? source.slice(offset, end).toLowerCase() === `@${username.toLowerCase()}` : type === 'text_mention' && userId === id;

/** Bots by their names, which end in `bot`: mentioned, or behind a command. */
const namedBots = (source: string, entities: readonly MessageEntity[]): ReadonlySet<string> =>
  new Set(
    entities
      .filter(({ type }) => type === 'mention' || type === 'bot_command')
      .flatMap(({ offset, end }) => /@(\w*bot)$/i.exec(source.slice(offset, end))?.[1]?.toLowerCase() ?? []),
  );
