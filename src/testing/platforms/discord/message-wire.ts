import type { Json, JsonObject } from '../../../base/json-types.ts';
import { timeOf, type DiscordMessage, type DiscordWorld } from './world.ts';

export function messageWire(world: DiscordWorld, message: DiscordMessage): JsonObject {
  const { id, author, nonce, reference, forwarded, versions } = message;
  const edited = versions.length > 1 ? new Date(versions.at(-1)?.at ?? 0).toISOString() : null;
  const replied = reference === undefined ? undefined : world.messages.get(reference);
  const thread = world.channels.get(id);
  return {
    id,
    channel_id: message.channelId,
    author,
    content: contentOf(message),
    timestamp: timeOf(id),
    edited_timestamp: edited,
    tts: false,
    mention_everyone: message.mentionsEveryone,
    mentions: message.mentions.flatMap((user) => world.users.get(user) ?? []),
    mention_roles: [...contentOf(message).matchAll(/<@&(\d+)>/g)].map(([, role]) => role ?? ''),
    attachments: message.attachments,
    embeds: message.embeds,
    components: message.components,
    pinned: false,
    type: message.type,
    flags: message.flags,
    reactions: reactionsWire(message),
    ...(nonce !== undefined && { nonce }),
    ...(reference !== undefined && { message_reference: { type: 0, message_id: reference, channel_id: message.channelId } }),
    ...(reference !== undefined && { referenced_message: replied === undefined ? null : messageWire(world, withoutQuote(replied)) }),
    ...(forwarded !== undefined && { message_reference: { type: 1, message_id: forwarded.id, channel_id: forwarded.channelId } }),
    ...(forwarded !== undefined && { message_snapshots: [{ message: snapshotWire(world, forwarded) }] }),
    ...(thread !== undefined && { thread: { id, type: 11, name: thread.name, guild_id: thread.guildId, parent_id: thread.parentId } }),
  };
}

/** A forwarded message says neither who wrote it nor which one it is. */
function snapshotWire(world: DiscordWorld, message: DiscordMessage): JsonObject {
  const wire = messageWire(world, message);
  const told = [
    'type',
    'content',
    'embeds',
    'attachments',
    'timestamp',
    'edited_timestamp',
    'flags',
    'mentions',
    'mention_roles',
    'components',
  ];
  return Object.fromEntries(told.map((field) => [field, wire[field] ?? null]));
}

/** A quoted message comes without the one that it quotes. */
function withoutQuote(message: DiscordMessage): DiscordMessage {
  const { reference, ...plain } = message;
  return reference === undefined ? message : plain;
}

function reactionsWire({ reactions }: DiscordMessage): Json {
  return [...reactions].map(([name, who]) => ({
    emoji: { id: null, name },
    count: who.size,
    count_details: { normal: who.size, burst: 0 },
    me: false,
    me_burst: false,
    burst_colors: [],
  }));
}

export const contentOf = ({ versions }: DiscordMessage): string => versions.at(-1)?.content ?? '';
